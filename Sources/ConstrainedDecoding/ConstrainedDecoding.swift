// The module ConstrainedDecoding.
