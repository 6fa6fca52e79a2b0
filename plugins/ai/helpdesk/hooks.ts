import { type FilterShapes, headers, recordOf } from 'pentad'
import type { HelpdeskTexts } from './default-texts.ts'
import type { ContactSubmission } from './types.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * Filters the recipient of a contact form message. This is the first of four filters, each of which can reject the
     * message by throwing a `RestError`.
     * @param recipient An email address, or several separated by commas.
     * @param submission The submitted form.
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
     * Filters the subject of a contact form message. Line breaks are removed.
     * @param subject One line.
     * @param submission The submitted form.
     * @since 0.1.0
     */
    ai_helpdesk_contact_subject: [subject: string, submission: ContactSubmission]
    /**
     * Filters the plain-text body of a contact form message.
     * @param body The message, followed by the sender and the page.
     * @param submission The submitted form.
     * @since 0.1.0
     */
    ai_helpdesk_contact_body: [body: string, submission: ContactSubmission]
    /**
     * Filters the headers of a contact form message. Line breaks are removed from values; in addresses they are an
     * error.
     * @param headers Values by name; `Reply-To` is the visitor's email address.
     * @param submission The submitted form.
     * @since 0.1.0
     */
    ai_helpdesk_contact_headers: [headers: Readonly<Record<string, string>>, submission: ContactSubmission]
  }

  interface Filters {
    /**
     * Filters the strings of the helpdesk dialog, as plain text in the language of the site. They are the same for all
     * visitors, because pages are cached.
     * @param texts Strings by name; values that are not strings are ignored.
     * @since 0.1.0
     */
    ai_helpdesk_texts: [texts: HelpdeskTexts]
  }
}

/** Valid results of these filters, checked at run time. */
export const filterShapes = {
  ai_helpdesk_contact_recipient: 'string',
  ai_helpdesk_contact_subject: 'string',
  ai_helpdesk_contact_body: 'string',
  ai_helpdesk_contact_headers: headers,
  ai_helpdesk_texts: recordOf('string'),
} satisfies FilterShapes
