import { Stack, Text, VisuallyHidden } from '@mantine/core'
import { __ } from '../i18n.ts'
import { type DiffPart, diffTexts } from './diff.ts'
import classes from './diff-view.module.css'
import { nameOfField } from './field-names.ts'

/** Characters of unchanged context around a change. */
const AROUND = 60

interface DiffViewProps {
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

/** Each field with its removed and added text. */
export function DiffView({ before, after }: DiffViewProps) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changed = names.filter((name) => textOf(before?.[name]) !== textOf(after?.[name]))
  return (
    <Stack gap="xs" component="dl" m={0}>
      {changed.map((name) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {nameOfField(name)}
          </Text>
          <Text component="dd" size="sm" m={0} className={classes.text} dir="auto">
            {shortened(diffTexts(textOf(before?.[name]), textOf(after?.[name]))).map((part, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
              <Part key={at} {...part} />
            ))}
          </Text>
        </div>
      ))}
    </Stack>
  )
}

/** Changes differ in color, decoration, and a hidden label, so that they do not depend on color alone. */
function Part({ kind, text }: DiffPart) {
  if (kind === 'same') return <span>{text}</span>
  if (kind === 'removed') {
    return (
      <del className={classes.removed}>
        <VisuallyHidden>{__('Removed:', 'pentad')} </VisuallyHidden>
        {text}
      </del>
    )
  }
  return (
    <ins className={classes.added}>
      <VisuallyHidden>{__('Added:', 'pentad')} </VisuallyHidden>
      {text}
    </ins>
  )
}

/** Collapses long unchanged runs. */
function shortened(parts: readonly DiffPart[]): DiffPart[] {
  return parts.map((part, at): DiffPart => {
    if (part.kind !== 'same' || part.text.length <= 3 * AROUND) return part
    const start = at === 0 ? '' : part.text.slice(0, AROUND)
    const end = at === parts.length - 1 ? '' : part.text.slice(-AROUND)
    return { kind: 'same', text: `${start} […] ${end}` }
  })
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}
