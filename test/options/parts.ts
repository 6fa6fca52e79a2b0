import { join } from 'node:path'
import { createHooks, type HookRegistry } from '../../core/hooks/index.ts'
import { createLog } from '../../core/log.ts'
import { createOptions, openRecordFile, type RecordStorage } from '../../core/options/index.ts'
import { createSettings } from '../../core/options/settings.ts'
import { loadSiteKey } from '../../core/options/site-key.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** What a site has that the tests of this folder look at, closed by `close`. */
export async function openParts(
  siteDir = temporaryFolder(),
  hooks: HookRegistry = createHooks(),
  openRecords: () => Promise<RecordStorage> = () => openRecordFile(join(siteDir, 'options.json')),
) {
  const logged: string[] = []
  const log = createLog('debug', { write: (line) => void logged.push(line) })
  const options = await createOptions({ storage: await openRecords(), hooks, log })
  const settings = createSettings({ options, hooks, siteKey: loadSiteKey(siteDir), log })
  return { siteDir, hooks, log, logged, options, settings, close: () => options.close() }
}

/** What a promise rejects with; a promise that resolves fails the test. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It was not refused.')
}
