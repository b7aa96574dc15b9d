"""Compiles the C part: docs/python.md. The rest of the package is described in pyproject.toml."""
from setuptools import setup

setup(cffi_modules=["build_module.py:builder"])
