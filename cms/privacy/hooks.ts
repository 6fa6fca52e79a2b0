import type { FilterShapes } from '../../core/hooks/shapes.ts'
import { finiteNumber, listOf, membersOf } from '../../core/hooks/value-checks.ts'
import type { ErasureReport, PersonalDataGroup, PersonalDataItem, PolicySection } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface AsyncFilters {
    /**
     * Filters the personal data associated with an email address when an administrator or the person exports it.
     * @param groups The data so far; add your own groups.
     * @param email The email address.
     * @param userId ID of the account with this address; `null` if there is none.
     * @since 1.0.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'newsletter',
     *   name: 'Newsletter',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     const readers = new Map([['ada@example.org', '2026-01-05']])
     *     hooks.addFilter('wp_privacy_personal_data_exporters', (groups, email) => {
     *       const since = readers.get(email)
     *       if (since === undefined) return groups
     *       const item = { id: email, data: [{ name: 'Subscribed since', value: since }] }
     *       return [...groups, { id: 'newsletter', label: 'Newsletter', items: [item] }]
     *     })
     *     hooks.addFilter('wp_privacy_personal_data_erasers', (report, email) =>
     *       readers.delete(email) ? { ...report, removed: report.removed + 1 } : report,
     *     )
     *   },
     * })
     * ```
     */
    wp_privacy_personal_data_exporters: [groups: readonly PersonalDataGroup[], email: string, userId: number | null]
    /**
     * Erases the personal data associated with an email address, and filters the report. Throw an error if data could not be erased:
     * the request then stays open.
     * @param report What has been erased so far; add your own numbers and messages.
     * @param email The email address.
     * @param userId ID of the account with this address; `null` if there is none.
     * @since 1.0.0
     */
    wp_privacy_personal_data_erasers: [report: ErasureReport, email: string, userId: number | null]
    /**
     * Filters the suggested text for the privacy policy.
     * @param sections The sections so far; add what your extension stores or sends.
     * @since 1.0.0
     */
    wp_add_privacy_policy_content: [sections: readonly PolicySection[]]
  }
}

const item = membersOf<PersonalDataItem>(
  {},
  { id: 'string', data: listOf(membersOf<PersonalDataItem['data'][number]>({}, { name: 'string', value: 'string' })) },
)

/** What these filters may return at run time. */
export const filterShapes = {
  wp_privacy_personal_data_exporters: listOf(
    membersOf<PersonalDataGroup>({}, { id: 'string', label: 'string', items: listOf(item) }),
  ),
  wp_privacy_personal_data_erasers: membersOf<ErasureReport>(
    {},
    { removed: finiteNumber, retained: finiteNumber, messages: listOf('string') },
  ),
  wp_add_privacy_policy_content: listOf(
    membersOf<PolicySection>({}, { title: 'string', paragraphs: listOf('string') }),
  ),
} satisfies FilterShapes
