"""The same calls for asyncio: each runs on a thread of a pool."""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
from collections.abc import AsyncIterator, Callable
from typing import Any

from .calls import MethodOfService
from .contract import Kind

_ENDED = object()


def _cancel_opened(opening: concurrent.futures.Future[Any]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().cancel()


class AsyncClient:
    """Makes a client's calls awaitable: `async with AsyncClient(Client(url, key=key)) as client`.

    It owns the client that it is given, over HTTP or over the bus. Cancelling a task ends a stream; a unary call that
    has begun ends by itself, and its outcome is dropped.
    """

    def __init__(self, client: Any, *, most_calls: int = 32) -> None:
        self._client = client
        self._pool = concurrent.futures.ThreadPoolExecutor(most_calls, thread_name_prefix="assent call")

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await asyncio.to_thread(self._client.close)
        self._pool.shutdown(wait=False)

    def service(self, name: str) -> AsyncService:
        """An object with a method for each method of a service: awaitable ones, and ones for `async for`."""
        return AsyncService(self, self._client.service(name))

    async def _run(self, work: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, functools.partial(work, *arguments, **options))

    async def _iterate(self, method: MethodOfService, request: Any, options: dict[str, Any]) -> AsyncIterator[Any]:
        opening = self._pool.submit(functools.partial(method, request, **options))
        try:
            call = await asyncio.wrap_future(opening)
        except asyncio.CancelledError:
            # The thread goes on opening it. Nobody else would end what it opens.
            opening.add_done_callback(_cancel_opened)
            raise
        try:
            while (answer := await self._run(next, call, _ENDED)) is not _ENDED:
                yield answer
        finally:
            call.cancel()


class AsyncService:
    """A service's methods, awaitable."""

    def __init__(self, client: AsyncClient, service: Any) -> None:
        self._client = client
        self._service = service

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method: MethodOfService = getattr(self._service, name)

        def call(request: Any, **options: Any) -> Any:
            if method.method.kind == Kind.UNARY:
                return self._client._run(method, request, **options)
            if method.method.kind == Kind.SERVER_STREAMING:
                return self._client._iterate(method, request, options)
            raise TypeError(f"{method.method.path} takes a stream of requests: use the client that is not awaitable")

        return call
