import { styleText } from 'node:util'
import { z } from 'zod'

/** Levels of pino, with the style of their names. */
const LEVELS = {
  20: { name: 'debug', style: 'gray' },
  30: { name: 'info ', style: 'green' },
  40: { name: 'warn ', style: 'yellow' },
  50: { name: 'error', style: 'red' },
} as const
const OTHER = { name: '     ', style: 'gray' } as const

const errorSchema = z.looseObject({ stack: z.string() })
const recordSchema = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().default('') })

/** A destination of the log for people: one line per record, with the local time, in color, and stacks of errors below. */
export function createPrettyLog(out: NodeJS.WritableStream): { write(line: string): void } {
  return { write: (line) => void out.write(prettyLine(line, out)) }
}

/** @returns the line unchanged if it is not a record */
function prettyLine(line: string, stream: NodeJS.WritableStream): string {
  const parsed = recordSchema.safeParse(parse(line))
  if (!parsed.success) return line
  const { level, time, msg, ...fields } = parsed.data
  const { name, style } = Object.entries(LEVELS).find(([number]) => Number(number) === level)?.[1] ?? OTHER
  const stacks: string[] = []
  const values = Object.entries(fields).flatMap(([key, value]) => {
    const error = errorSchema.safeParse(value)
    if (error.success) stacks.push(error.data.stack)
    return error.success ? [] : [`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`]
  })
  const paint = (as: Parameters<typeof styleText>[0], text: string) => styleText(as, text, { stream })
  const first = [paint('gray', timeOf(time)), paint(style, name), msg, ...values.map((value) => paint('gray', value))]
  return [first.join(' '), ...stacks.flatMap((stack) => stack.split('\n')).map((row) => `  ${row}`), ''].join('\n')
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** `21:15:03`, in local time. */
function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toTimeString().slice(0, 8)
}
