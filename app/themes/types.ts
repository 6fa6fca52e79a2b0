/** The folders of themes in the site. */
export interface ThemeFiles {
  /** Deletes a theme of the site that no page uses. @throws RestError `rest_theme_not_found`, `theme_in_use`, `theme_bundled` */
  remove(name: string): Promise<void>
}
