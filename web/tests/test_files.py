"""What is built: small, named by content, compressed; and words that agree with the server's."""

import gzip
import json
import re
import unittest

from browser import BUILT, MANIFEST, ROOT

SIZES = dict(line.split() for line in (BUILT / "sizes.txt").read_text().splitlines())
LANGUAGES = {"ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "ja": "Japanese",
             "zh": "Chinese"}


class FilesTest(unittest.TestCase):
    def test_the_signature_alone_fits_in_15_kilobytes(self):
        print("assent-signature, with all it needs:", SIZES["signature.js"], "bytes")
        self.assertLessEqual(int(SIZES["signature.js"]), 15 << 10)

    def test_a_session_with_all_it_needs_fits_in_45_kilobytes(self):
        print("assent-session, with all it needs:", SIZES["session.js"], "bytes")
        self.assertLessEqual(int(SIZES["session.js"]), 45_000)

    def test_the_verifier_with_all_it_needs_fits_in_20_kilobytes(self):
        self.assertLessEqual(int(SIZES["verify.js"]), 20 << 10)

    def test_the_screens_of_accounts_with_all_they_need_fit_in_25_kilobytes(self):
        self.assertLessEqual(int(SIZES["accounts.js"]), 25_000)

    def test_a_phone_fetches_little_more_than_the_signature(self):
        self.assertLessEqual(int(SIZES["phone.js"]), 30_000)

    def test_the_first_screen_of_a_shared_device_waits_for_nothing_that_comes_later(self):
        self.assertLessEqual(int(SIZES["app.js"]), 45_000)

    def test_the_element_of_a_sync_with_all_it_needs_fits_in_20_kilobytes(self):
        self.assertLessEqual(int(SIZES["sync.js"]), 20_000)

    def test_each_page_of_the_console_fits_in_120_kilobytes(self):
        """With what comes when it is first needed, in the longest language. All together are little more, without the
        elements of previews."""
        pages = {name: int(size) for name, size in SIZES.items() if name.startswith("console/")}
        self.assertGreater(len(pages), 15)
        for name, size in pages.items():
            self.assertLessEqual(size, 125_000 if name == "console/*" else 120_000, name)

    def test_names_tell_the_content_and_every_file_is_compressed(self):
        for name in MANIFEST.values():
            self.assertRegex(name, r"^\w+-[0-9A-Z]{8}\.(js|css|svg|webmanifest)$")
        files = [path for path in BUILT.rglob("*")
                 if path.is_file() and path.suffix != ".gz" and path.name != "sizes.txt"]
        self.assertGreater(len(files), 10)
        for path in files:
            self.assertEqual(gzip.decompress(path.with_name(path.name + ".gz").read_bytes()), path.read_bytes(), path)

    def test_pages_hold_no_script_and_no_style_of_their_own(self):
        for page in BUILT.rglob("*.html"):
            text = page.read_text()
            self.assertEqual(re.findall(r"<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son\w+=", text), [], page)

    def test_nothing_makes_markup_of_text(self):
        makers = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setHTML")
        for path in (ROOT / "web").rglob("*.ts"):
            self.assertEqual(makers.findall(path.read_text()), [], path)

    def test_styles_use_tokens_only(self):
        """No colour and no duration of its own is in an element's style sheet."""
        for path in (ROOT / "web/elements").rglob("*.css"):
            if path.name == "tokens.css":
                continue
            text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
            found = re.findall(r"#[0-9a-f]{3,8}\b|\brgb\(|\bhsl\(|\b\d+ms\b", text)
            # The paper behind a photo, and the transition that only tells of a change.
            self.assertLessEqual(set(found), {"#fff", "1ms"}, path)

    def test_words_that_the_server_says_too_are_the_same(self):
        for tag, language in LANGUAGES.items():
            catalog = (ROOT / f"Sources/ConsentDomain/Text/Catalog+{language}.swift").read_text()
            words = (ROOT / f"web/words/{tag}.ts").read_text()
            for key in ("cancel", "signature"):
                said = re.search(rf'case \.{key}: "([^"]+)"', catalog)[1]
                self.assertEqual(re.search(rf'\b{key}: "([^"]+)"', words)[1], said, f"{tag}, {key}")
            accounts = (ROOT / f"Sources/AccountService/Views/AccountTexts+{language}.swift").read_text()
            words = (ROOT / f"web/words/accounts/{tag}.ts").read_text()
            said = re.search(r'case \.differed: "([^"]+)"', accounts)[1]
            self.assertEqual(re.search(r'\bdiffered: "([^"]+)"', words)[1], said, tag)

    def test_every_sentence_has_what_belongs_in_its_braces(self):
        def braces(folder, tag):
            text = (ROOT / f"web/words{folder}/{tag}.ts").read_text().replace('"\n    + "', "")
            return {key: sorted(re.findall(r"\{\w+\}", words)) for key, words in re.findall(r'(\w+): "([^"]*)"', text)}
        for folder in ("", "/accounts", "/session", "/sync", "/verify"):
            for tag in LANGUAGES:
                self.assertEqual(braces(folder, tag), braces(folder, "en"), tag)

    def test_the_compiler_is_as_strict_as_it_can_be(self):
        options = json.loads((ROOT / "web/tsconfig.json").read_text())["compilerOptions"]
        self.assertTrue(options["strict"])


if __name__ == "__main__":
    unittest.main()
