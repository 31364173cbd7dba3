// The module Patterns.
