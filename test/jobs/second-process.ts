/**
 * A process of the site, for tests: drives the counting job and a schedule of each second until it is killed; `hanging` is the pattern of
 * a schedule that does not end. With `killAtLease`, the process kills itself just before it writes the lease of that schedule's run.
 */
import { appendFileSync } from 'node:fs'
import type { KyselyPlugin } from 'kysely'
import { createJobs } from '../../cms/jobs/index.ts'
import { createDatabase } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { createLog } from '../../core/log.ts'
import { countJob } from './count-job.ts'

const { siteDir, databaseUrl, file, hangAt, leaseTtl, hanging, killAtLease } = JSON.parse(process.argv[2] ?? '{}')
const database = await createDatabase({ siteDir, databaseUrl })

const killing: KyselyPlugin = {
  transformQuery({ node }) {
    const isWritten = node.kind !== 'SelectQueryNode' && JSON.stringify(node).includes('"run:schedule:core:hanging"')
    if (isWritten) process.kill(process.pid, 'SIGKILL')
    return node
  },
  transformResult: async ({ result }) => result,
}

const jobs = createJobs({
  database: killAtLease ? { ...database, db: database.db.withPlugin(killing) } : database,
  hooks: createHooks(),
  log: createLog('silent'),
  timezone: () => 'UTC',
  limits: { leaseTtl },
})
jobs.define(countJob(file, hangAt))
jobs.schedule('each-second', '* * * * * *', () => {
  appendFileSync(file, `second ${Math.floor(Date.now() / 1000)} ${process.pid}\n`)
})
if (hanging !== undefined) {
  jobs.schedule('hanging', hanging, async () => {
    appendFileSync(file, `hanging 0 ${process.pid}\n`)
    await new Promise(() => {})
  })
}
jobs.start()
appendFileSync(file, `ready 0 ${process.pid}\n`)
setInterval(() => {}, 1000)
