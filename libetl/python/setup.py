"""Compiles the C part: docs/python.md. The rest of the package is described in pyproject.toml."""
from setuptools import setup

# The module uses the stable interface of Python only.
setup(cffi_modules=["build_module.py:builder"], options={"bdist_wheel": {"py_limited_api": "cp39"}})
