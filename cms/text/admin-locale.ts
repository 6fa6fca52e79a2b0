/** The language of the admin with its translation, which the server embeds in the page. */
export interface AdminLocale {
  /** BCP 47. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** In Jed's format, as `tannin` reads it; `null` if there is no translation. */
  readonly messages: Record<string, string[] | Record<string, string>> | null
}
