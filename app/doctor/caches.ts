import { z } from 'zod'
import { fromGmt } from '../../core/database/gmt.ts'
import { ownCommand } from '../own-command.ts'
import { type DoctorCheck, type ExaminedSite, error, type Finding, ok, warning } from './types.ts'

const CHECK = 'caches'
/** Age in ms from which a failure is more than a short interruption. */
const STUCK_AFTER = 5 * 60 * 1000
const WEBHOOKS = { label: 'Open webhooks', screen: 'settings/webhooks' }

type Row = Readonly<Record<string, unknown>>

const states = z.record(z.string(), z.object({ state: z.string() }).catch({ state: '' })).catch({})

/** Whether the caches in front of the site, and webhooks, receive its changes; see `cms/changes/followers`. */
export const checkCaches: DoctorCheck = async ({ database, options, processes, texts }) => {
  const { __ } = texts
  if (database instanceof Error) return []
  // A database of an earlier version does not have the tables.
  const query = (sql: string) => database.query(sql).catch(() => [])
  const extensions = states.parse(options.host_extensions)
  const rows = await query('select id, name, error, failing_since_gmt from change_readers')
  const caches = rows.filter(({ id }) => extensions[String(id).split(':', 1)[0] ?? '']?.state === 'active')
  const hooks = await query('select url, is_enabled, disabled_reason, failures from change_webhooks')
  const problems = [
    ...caches.flatMap((row) => describeCache(row, texts)),
    ...hooks.flatMap((row) => describeWebhook(row, texts)),
  ]
  if (problems.length > 0 || caches.length + hooks.length === 0) return problems
  const message = __('No caches or webhooks are failing (caches: %1$s, webhooks: %2$s).', caches.length, hooks.length)
  return [ok(CHECK, processes > 0 ? message : `${message} ${__('Changes are sent when the site is started.')}`)]
}

function describeCache(row: Row, { __ }: ExaminedSite['texts']): Finding[] {
  if (typeof row.failing_since_gmt !== 'string') return []
  const since = fromGmt(row.failing_since_gmt)
  if (Date.now() - Date.parse(since) < STUCK_AFTER) return []
  const [extension = '', ...address] = String(row.id).split(':')
  const message = __(
    '%1$s has not accepted purges since %2$s, so visitors may see outdated pages: %3$s',
    ...[`${row.name} (${address.join(':')})`, since, String(row.error)],
  )
  const fix = __(
    'Check that it is running and that the settings of %1$s are correct; then run: %2$s',
    ...[extension, ownCommand('cache purge --all')],
  )
  return [error(CHECK, message, fix, { label: 'Open caches', screen: 'settings/caches' })]
}

function describeWebhook(
  { url, is_enabled, disabled_reason, failures }: Row,
  { __ }: ExaminedSite['texts'],
): Finding[] {
  const host = URL.parse(String(url))?.host ?? String(url)
  if (is_enabled === 1 && failures === 0) return []
  if (is_enabled === 1) {
    const message = __('The webhook for %s is failing: changes will be delivered late or not at all.', host)
    return [warning(CHECK, message, __('See its deliveries under Settings → Webhooks.'), WEBHOOKS)]
  }
  if (disabled_reason === 'owner') return []
  const message = __('The webhook for %s was disabled because its deliveries failed.', host)
  return [error(CHECK, message, __('Enable it under Settings → Webhooks.'), WEBHOOKS)]
}
