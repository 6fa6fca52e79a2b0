#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// A second start finds the files stripped of their types and compiled: it takes two thirds of the time. In the project,
// since in the folder for temporary files that Node would take everybody could put code there.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/pentad'))

const { hideExpectedWarning } = await import('./expected-warning.ts')
const { runCommand } = await import('./program.ts')

hideExpectedWarning()

const code = await runCommand(process.argv.slice(2))
// An extension may have left a timer or a socket of Node's own, which would keep the process here, or `process.exitCode`.
process.exit(code)
