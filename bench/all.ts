/**
 * Runs all benchmarks one after the other, and writes the results to the table in `docs/performance.md`: `npm run bench`. Takes hours.
 * Some only: `npm run bench -- pages rest`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type Result, withResults } from './results.ts'

/** A line of `printTarget`. */
const TARGET =
  /^ {2}(?<what>.*\S)\s+(?<measured>[\d.]+|NaN) {2}\(target: (?<target>at (?:least|most) [\d.]+)\) (?<verdict>met|MISSED)$/

const root = join(import.meta.dirname, '..')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const all = Object.keys(scripts).flatMap((script) => (script.startsWith('bench:') ? script.slice(6) : []))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(', ')}. Available: ${all.join(', ')}.`)

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`
const page = join(root, 'docs/performance.md')

for (const name of asked.length > 0 ? asked : all) {
  const results = await run(name)
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(page, withResults(readFileSync(page, 'utf8'), name, results, { machine, date, commit }))
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', page], { cwd: root, stdio: 'ignore' })
  if (results.some(({ verdict }) => verdict !== 'met')) process.exitCode = 1
}

/** Runs a benchmark, and passes its output on. @returns its targets */
async function run(name: string): Promise<Result[]> {
  console.log(`\n## ${name}\n`)
  const child = spawn('npm', ['run', '--silent', `bench:${name}`], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const results: Result[] = []
  for await (const line of createInterface(child.stdout)) {
    console.log(line)
    const { what, measured, target, verdict } = TARGET.exec(line)?.groups ?? {}
    if (what && measured && target && verdict) results.push({ what, measured, target, verdict })
  }
  const [code] = await closed
  return code === 0 ? results : [...results, { what: '', measured: '', target: '', verdict: 'failed' }]
}
