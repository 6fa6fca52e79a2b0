import { z } from 'zod'
import { fromGmt } from '../../core/database/gmt.ts'
import { ownCommand } from '../own-command.ts'
import { type DoctorCheck, error, type Finding, ok, warning } from './types.ts'

const CHECK = 'caches'
/** Age in ms from which a failure is more than a short interruption. */
const STUCK_AFTER = 5 * 60 * 1000
const WEBHOOKS = { label: 'Open webhooks', screen: 'settings/webhooks' }

const states = z.record(z.string(), z.object({ state: z.string() }).catch({ state: '' })).catch({})

/** Whether the caches in front of the site, and webhooks, receive its changes; see `cms/changes/followers`. */
export const checkCaches: DoctorCheck = async ({ database, options, processes }) => {
  if (database instanceof Error) return []
  // A database of an earlier version does not have the tables.
  const query = (sql: string) => database.query(sql).catch(() => [])
  const extensions = states.parse(options.host_extensions)
  const rows = await query('select id, name, error, failing_since_gmt from change_readers')
  const caches = rows.filter(({ id }) => extensions[String(id).split(':', 1)[0] ?? '']?.state === 'active')
  const hooks = await query('select url, is_enabled, disabled_reason, failures from change_webhooks')
  const problems = [...caches.flatMap(describeCache), ...hooks.flatMap(describeWebhook)]
  if (problems.length > 0 || caches.length + hooks.length === 0) return problems
  const running = processes > 0 ? '' : ' Changes are sent when the site is started.'
  return [
    ok(CHECK, `No caches or webhooks are failing (caches: ${caches.length}, webhooks: ${hooks.length}).${running}`),
  ]
}

function describeCache(row: Readonly<Record<string, unknown>>): Finding[] {
  if (typeof row.failing_since_gmt !== 'string') return []
  const since = fromGmt(row.failing_since_gmt)
  if (Date.now() - Date.parse(since) < STUCK_AFTER) return []
  const [extension = '', ...address] = String(row.id).split(':')
  const message = `${row.name} (${address.join(':')}) has not accepted purges since ${since}, so visitors may see outdated pages: ${row.error}`
  const fix = `Check that it is running and that the settings of ${extension} are correct; then run: ${ownCommand('cache purge --all')}`
  return [error(CHECK, message, fix, { label: 'Open caches', screen: 'settings/caches' })]
}

function describeWebhook({ url, is_enabled, disabled_reason, failures }: Readonly<Record<string, unknown>>): Finding[] {
  const host = URL.parse(String(url))?.host ?? String(url)
  if (is_enabled === 1 && failures === 0) return []
  if (is_enabled === 1) {
    const fix = 'See its deliveries under Settings → Webhooks.'
    return [
      warning(
        CHECK,
        `The webhook for ${host} is failing: changes will be delivered late or not at all.`,
        fix,
        WEBHOOKS,
      ),
    ]
  }
  if (disabled_reason === 'owner') return []
  return [
    error(
      CHECK,
      `The webhook for ${host} was disabled because its deliveries failed.`,
      'Enable it under Settings → Webhooks.',
      WEBHOOKS,
    ),
  ]
}
