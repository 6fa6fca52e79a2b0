import { useState } from 'react'

type TextKey<Fields> = { [Key in keyof Fields]: Fields[Key] extends string ? Key : never }[keyof Fields]

/**
 * The state of a form.
 * @returns `field('name')`: props for the control with that name; `set` updates values
 */
export function useFields<Fields extends object>(first: Fields) {
  const [fields, setFields] = useState(first)
  const set = (changes: Partial<Fields>) => setFields((before) => ({ ...before, ...changes }))
  const field = <Key extends TextKey<Fields>>(key: Key) => ({
    value: fields[key],
    // Text follows its own direction; an empty field follows that of the admin.
    dir: fields[key] === '' ? undefined : 'auto',
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      setFields((before) => ({ ...before, [key]: value })),
  })
  return { fields, set, field }
}
