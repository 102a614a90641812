/* libFuzzer's entry, which it has no header for; the library itself comes with -sanitize=fuzzer. */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test_one_input)(const uint8_t *data, size_t size));
