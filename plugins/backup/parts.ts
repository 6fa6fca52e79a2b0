import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExtensionHost, Settings } from 'pentad'
import { z } from 'zod'
import { signingKeyOf } from './archive/signature.ts'
import { createJobLogs, type JobLogs } from './job-log.ts'
import { createJobStates, type JobStates } from './job-states.ts'
import { type ConnectionTests, createConnectionTests } from './locations/connection-tests.ts'
import { createLocations, type Locations } from './locations/index.ts'
import { createLeftovers, type Leftovers } from './pipeline/leftovers.ts'
import { createRecords, type Records } from './records.ts'
import type { backupSettings } from './settings.ts'

/** What pipeline, restore and routes share. */
export interface BackupParts {
  readonly host: ExtensionHost
  readonly settings: Settings<typeof backupSettings>
  readonly records: Records
  readonly locations: Locations
  readonly connectionTests: ConnectionTests
  readonly leftovers: Leftovers
  readonly logs: JobLogs
  readonly states: JobStates
  /** Version of Pentad, for manifests. */
  readonly hostVersion: string
}

/** Creates the shared parts over `<site>/backups/`. */
export function createParts(host: ExtensionHost, settings: BackupParts['settings']): BackupParts {
  const folder = join(host.site.dir, 'backups')
  const packageFile = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { bucket, hooks } = host
  const locations = createLocations({ siteDir: host.site.dir, settings: () => settings.get(), hooks, bucket })
  const connectionTests = createConnectionTests(host, { settings, locations })
  return {
    host,
    settings,
    locations,
    connectionTests,
    leftovers: createLeftovers(folder, { locations, vault: host.vault }),
    records: createRecords(folder, signingKeyOf(host.site), bucket?.backups),
    logs: createJobLogs(folder, bucket?.backups),
    states: createJobStates(folder, bucket?.backups),
    hostVersion: z.object({ version: z.string() }).parse(JSON.parse(packageFile)).version,
  }
}
