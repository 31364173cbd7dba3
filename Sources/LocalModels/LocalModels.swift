// The module LocalModels.
