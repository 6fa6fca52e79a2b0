/** WordPress's capabilities for changing code, which no user has under `DISALLOW_FILE_MODS` (`map_meta_cap`). */
const FILE_MODS = /^(?:(?:install|update|delete|edit|upload)_(?:plugins|themes)|edit_files|update_core)$/

export const disallowFileMods = (needed: readonly string[], capability: string): readonly string[] =>
  FILE_MODS.test(capability) ? ['do_not_allow'] : needed
