#!/usr/bin/env node
import { cacheCompiledCode } from './compile-cache.ts'

const args = process.argv.slice(2)
cacheCompiledCode(args)

const { hideExpectedWarning } = await import('./expected-warning.ts')
const { runCommand } = await import('./program.ts')

hideExpectedWarning()

const code = await runCommand(args)
// An extension may have left a timer or socket that would keep the process alive, or set `process.exitCode`.
process.exit(code)
