import { type FilterShapes, headers, recordOf } from 'pentad'
import type { HelpdeskTexts } from './default-texts.ts'
import type { ContactSubmission } from './types.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * Who gets what a visitor wrote in the contact form; the first of four filters, each of which may refuse it with a
     * `RestError`.
     * @param recipient an address, or several separated by commas
     * @param submission what the visitor sent
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'sales-desk',
     *   name: 'Sales desk',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('ai_helpdesk_contact_recipient', (recipient, { pageUrl }) =>
     *       pageUrl.includes('/shop/') ? 'sales@example.org' : recipient,
     *     )
     *   },
     * })
     * ```
     */
    ai_helpdesk_contact_recipient: [recipient: string, submission: ContactSubmission]
    /**
     * The subject of that mail; line breaks go.
     * @param subject one line
     * @param submission what the visitor sent
     * @since 0.1.0
     */
    ai_helpdesk_contact_subject: [subject: string, submission: ContactSubmission]
    /**
     * The text of that mail, plain.
     * @param body the message, then who wrote it and on which page
     * @param submission what the visitor sent
     * @since 0.1.0
     */
    ai_helpdesk_contact_body: [body: string, submission: ContactSubmission]
    /**
     * Headers of that mail. Line breaks go from values; those of addresses are refused.
     * @param headers by name; `Reply-To` is the visitor's address
     * @param submission what the visitor sent
     * @since 0.1.0
     */
    ai_helpdesk_contact_headers: [headers: Readonly<Record<string, string>>, submission: ContactSubmission]
  }

  interface Filters {
    /**
     * What the helpdesk says to visitors; plain text. The same for all visitors, because pages are cached.
     * @param texts by their names; those of another type than text are passed over
     * @since 0.1.0
     */
    ai_helpdesk_texts: [texts: HelpdeskTexts]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  ai_helpdesk_contact_recipient: 'string',
  ai_helpdesk_contact_subject: 'string',
  ai_helpdesk_contact_body: 'string',
  ai_helpdesk_contact_headers: headers,
  ai_helpdesk_texts: recordOf('string'),
} satisfies FilterShapes
