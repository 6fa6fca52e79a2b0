/**
 * Runs all benchmarks one after the other, and summarizes their targets in a table: `npm run bench`. Takes hours.
 * Some only: `npm run bench -- pages rest`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

/** A line of `printTarget`. */
const TARGET =
  /^ {2}(?<what>.*\S)\s+(?<value>[\d.]+|NaN) {2}\(target: (?<target>at (?:least|most) [\d.]+)\) (?<verdict>met|MISSED)$/

const root = join(import.meta.dirname, '..')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const all = Object.keys(scripts).flatMap((script) => (script.startsWith('bench:') ? script.slice(6) : []))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(', ')}. Available: ${all.join(', ')}.`)

const rows: string[] = []
for (const name of asked.length > 0 ? asked : all) await run(name)

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
console.log(`\n${cpus().length} × ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}, ${commit}\n`)
console.log(`| Benchmark | What | Measured | Target | |\n| --- | --- | ---: | ---: | --- |\n${rows.join('\n')}`)

/** Runs a benchmark, passes its output on, and notes its targets. */
async function run(name: string): Promise<void> {
  console.log(`\n## ${name}\n`)
  const child = spawn('npm', ['run', '--silent', `bench:${name}`], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    console.log(line)
    const { what, value, target, verdict } = TARGET.exec(line)?.groups ?? {}
    if (what) rows.push(`| ${name} | ${what} | ${value} | ${target} | ${verdict} |`)
  }
  const [code] = await closed
  if (code !== 0) rows.push(`| ${name} | | | | failed |`)
}
