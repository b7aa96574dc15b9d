import os
import pathlib

import pytest


@pytest.fixture
def corpus() -> pathlib.Path:
    """The traces of the project."""
    given = os.environ.get("ETL_CORPUS")
    return pathlib.Path(given) if given else pathlib.Path(__file__).resolve().parents[3] / "corpus"


@pytest.fixture
def first_steps(corpus):
    return corpus / "good/first-steps.etl"


@pytest.fixture
def types(corpus):
    return corpus / "good/tracelogging-types.etl"
