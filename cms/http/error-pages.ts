import type { JoiningHost } from '../../core/types.ts'
import { errorText } from '../text/error-text.ts'
import type { TextsFor } from '../text/translations.ts'
import { noticePage } from './notice-page.ts'

/** Shows the pages of errors, and of maintenance mode, in the language of the site. */
export function joinErrorPages(host: Pick<JoiningHost, 'useFirst'>, textsFor: TextsFor): void {
  host.useFirst(async ({ state }, proceed) => {
    try {
      await proceed()
    } catch (error) {
      // Without them, the page is in English.
      const texts = await textsFor().catch(() => undefined)
      if (texts) {
        state.errorPage = (status, message, requestId) =>
          noticePage({
            texts,
            title: String(status),
            body: `<h1>${status}</h1>
<p>${errorText(texts, { message })}</p>
<p><small>${texts.esc_html__('Request %s', requestId)}</small></p>`,
          })
      }
      throw error
    }
  })
}
