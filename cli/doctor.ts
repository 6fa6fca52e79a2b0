import { Command } from 'commander'
import { examineSite } from '../app/doctor/index.ts'
import type { Finding } from '../app/doctor/types.ts'
import { pluralize } from '../cms/text/pluralize.ts'

/** Most important first. */
const LEVELS = ['error', 'warning', 'ok'] as const

/** `pentad doctor`: finds problems of the site and its environment, without changing anything. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('find problems with the site and explain how to fix them; works even if the site is stopped or broken')
    .option('--json', 'print the findings as JSON')
    .action(examine)
}

/** @throws Error if anything is wrong, for the exit code */
async function examine({ json = false }: { json?: boolean }): Promise<void> {
  const findings = (await examineSite()).toSorted(
    (one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level),
  )
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  const errors = count('error')
  if (json) console.log(JSON.stringify({ ok: errors === 0, findings }, null, 2))
  else for (const finding of findings) print(finding)
  if (errors > 0) throw new Error(`${pluralize(errors, 'error')}, ${pluralize(count('warning'), 'warning')}.`)
}

function print({ check, level, message, fix }: Finding): void {
  const indent = ' '.repeat(9)
  console.log(`${level.padEnd(indent.length)}${check}: ${message.replaceAll('\n', `\n${indent}`)}`)
  if (fix !== null) console.log(`${indent}${fix}`)
}
