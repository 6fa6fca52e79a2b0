/** A process that uploads archives and may be killed: `node upload-child.ts <plan.json>`. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createHooks } from '../../../core/hooks/index.ts'
import { createLocations } from '../../../plugins/backup/locations/index.ts'
import { locationSettings } from '../../../plugins/backup/locations/settings.ts'

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const locations = createLocations({
  siteDir: plan.siteDir,
  settings: () => locationSettings.parse(plan.settings),
  hooks: createHooks(),
  firstDelayMs: 10,
  google: plan.google,
})
const location = await locations.open(plan.id)
const names: string[] = []
const maxRss: number[] = []
for (const file of plan.files) {
  const name = await location.upload(file, {
    state: plan.state,
    async keep(state) {
      writeFileSync(`${plan.stateFile}.new`, JSON.stringify(state))
      renameSync(`${plan.stateFile}.new`, plan.stateFile)
    },
    sent() {},
    signal: new AbortController().signal,
  })
  names.push(name)
  // Kibibytes, the most there ever was (getrusage(2)).
  maxRss.push(process.resourceUsage().maxRSS)
}
await location.close()
console.error(JSON.stringify({ names, maxRss }))
