import type { ExtensionHost } from 'pentad'
import type { RestoreJob } from './restore/hooks.ts'

/** Records restores in the security log, since they replace accounts and code. */
export function recordRestores({ auth, hooks }: Pick<ExtensionHost, 'auth' | 'hooks'>): void {
  const detail = ({ backupId, parts }: RestoreJob) => ({ backup: backupId ?? '', parts })
  hooks.addAction('restore_started', (job) => auth.securityLog.record('restore_started', { detail: detail(job) }))
  hooks.addAction('restore_completed', (job) => auth.securityLog.record('restore_completed', { detail: detail(job) }))
  hooks.addAction('restore_failed', (job, { code }) =>
    auth.securityLog.record('restore_failed', { detail: { ...detail(job), error: code } }),
  )
}
