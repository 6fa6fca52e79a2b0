import { noticePage } from '../../http/notice-page.ts'
import { errorText } from '../../text/error-text.ts'
import type { PageTexts } from '../../text/translations.ts'

/** Error page for a rejected comment. The browser preserves the input when the visitor goes back. */
export function commentErrorPage(texts: PageTexts, error: Error): string {
  const { esc_html__ } = texts
  return noticePage({
    texts,
    title: esc_html__('Comment Submission Failure'),
    body: `<h1>${esc_html__('Your comment could not be posted')}</h1>
<p role="alert">${errorText(texts, error)}</p>
<p>${esc_html__('Use the Back button of your browser to return to the form. Your text is still there.')}</p>`,
  })
}
