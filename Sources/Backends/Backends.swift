// The module Backends.
