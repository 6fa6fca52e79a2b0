import { ownCommand } from '../app/own-command.ts'
import type { Config } from '../core/config.ts'
import { messageOf } from '../core/errors.ts'

/** With primary result codes of SQLite (sqlite.org/rescode.html): read-only, and cannot open. */
const NOT_WRITABLE = ['EROFS', 'EACCES', 'EPERM', 'SQLITE 8', 'SQLITE 14']
const NO_SPACE = ['ENOSPC', 'EDQUOT', 'SQLITE 13']
const DAMAGED = ['SQLITE 11', 'SQLITE 26']
const NO_CONNECTION = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]

/** Where a site listens. */
interface Address {
  readonly host: string
  readonly port: number
}

/** The error with what to do, if its cause is known: the environment of the site, rather than its code. */
export function explainStart(
  error: unknown,
  { siteDir, databaseUrl }: Pick<Config, 'siteDir' | 'databaseUrl'>,
): unknown {
  const code = codeOf(error)
  if (NO_SPACE.includes(code))
    return explained(
      error,
      `The disk that contains the site folder ${siteDir} is full. Free up disk space, then start the site again.`,
    )
  if (NOT_WRITABLE.includes(code) && memberOf(error, 'syscall') !== 'connect') {
    const fix = `Make it writable for the user that runs the site, or choose another folder: ${ownCommand('--site <dir> start')}`
    return explained(error, `The site folder ${siteDir}, or a file in it, is not writable. ${fix}`)
  }
  if (DAMAGED.includes(code)) {
    const fix = `Restore the site from a backup: ${ownCommand('backup restore <file>')}. Pentad did not change the file.`
    return explained(error, `The database in ${siteDir} is damaged. ${fix}`)
  }
  if (databaseUrl !== undefined && NO_CONNECTION.includes(code))
    return explained(error, 'The database server cannot be reached. Start it, or correct PENTAD_DATABASE_URL.')
  return error
}

/** The same if the site was opened, but its address is not available. @param command - The command that serves it. */
export function explainListening(error: unknown, { host, port }: Address, command: 'start' | 'dev'): unknown {
  const code = codeOf(error)
  if (code === 'EADDRINUSE')
    return explained(
      error,
      `Port ${port} is already in use. Choose another: ${ownCommand(`${command} --port ${port < 65_535 ? port + 1 : 8080}`)}`,
    )
  if (code === 'EACCES') {
    const fix = `Use 1024 or higher: ${ownCommand(`${command} --port 8080`)}`
    return explained(error, `Port ${port} requires elevated privileges. ${fix}`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    const fix = `Choose another: ${ownCommand(`${command} --host 127.0.0.1`)}`
    return explained(error, `${host} is not an address of this machine. ${fix}`)
  }
  return error
}

/** The original message is in parentheses: it names the file or address. */
function explained(cause: unknown, message: string): Error {
  return new Error(`${message}${cause instanceof Error ? ` (${messageOf(cause)})` : ''}`, { cause })
}

/** `EACCES`, or `SQLITE 14` without the details of an extended result code. */
function codeOf(error: unknown): string {
  const sqliteCode = memberOf(error, 'errcode')
  return typeof sqliteCode === 'number' ? `SQLITE ${sqliteCode & 0xff}` : String(memberOf(error, 'code') ?? '')
}

function memberOf(error: unknown, name: string): unknown {
  return error instanceof Error ? Reflect.get(error, name) : undefined
}
