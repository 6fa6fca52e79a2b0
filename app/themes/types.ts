/** A theme that was installed from an archive. */
export interface InstalledTheme {
  readonly name: string
  /** Whether it replaced an installed theme. */
  readonly replaced: boolean
}

/** The folders of themes in the site. */
export interface ThemeFiles {
  /**
   * Puts the theme in an archive in place. Its name is that of the only folder in the archive, or else of the file.
   * @param options.replace - Whether it may replace an installed theme of the same name.
   * @throws RestError `package_invalid`, `theme_exists`
   */
  install(
    archive: { readonly path: string; readonly name: string },
    options: { readonly replace: boolean },
  ): Promise<InstalledTheme>
  /** Deletes a theme of the site that no page uses. @throws RestError `rest_theme_not_found`, `theme_in_use`, `theme_bundled` */
  remove(name: string): Promise<void>
}
