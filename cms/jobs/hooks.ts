import type { FilterShapes } from '../../core/hooks/shapes.ts'
import { membersOf, recordOf } from '../../core/hooks/value-checks.ts'
/** A named rhythm that `jobs.schedule` accepts in place of a cron pattern. */
export interface CronSchedule {
  /** Five or six cron fields, read in the site's time zone. */
  readonly pattern: string
  /** What an administrator reads. */
  readonly display: string
}

declare module '../../core/hooks/names.ts' {
  interface Filters {
    /**
     * Filters the named recurrences of scheduled events. Applied each time the scheduler computes the next run of an event.
     *
     * @param schedules - Recurrences by name; core's are `hourly`, `twicedaily`, `daily`, and `weekly`.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'twice-monthly',
     *   name: 'Twice monthly',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('cron_schedules', (schedules) => ({
     *       ...schedules,
     *       twicemonthly: { pattern: '0 3 1,15 * *', display: 'Twice a month' },
     *     }))
     *   },
     * })
     * ```
     */
    cron_schedules: [schedules: Readonly<Record<string, CronSchedule>>]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  cron_schedules: recordOf(membersOf<CronSchedule>({}, { pattern: 'string', display: 'string' })),
} satisfies FilterShapes
