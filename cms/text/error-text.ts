import type { PageTexts } from './translations.ts'

/**
 * The message of an error as HTML, in the language of the page. Numbers in it are values of the text.
 *
 * The translatable ones are in `admin/server-errors.ts`; that of an extension is shown as it is.
 */
export function errorText({ esc_html__ }: PageTexts, { message }: { readonly message: string }): string {
  const numbers = message.match(/\d+/g)
  if (!numbers) return esc_html__(message)
  return esc_html__(message.replaceAll('%', '%%').replace(/\d+/g, '%s'), ...numbers)
}
