// The module ResultStore.
