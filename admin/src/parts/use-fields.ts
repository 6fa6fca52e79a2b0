import { useState } from 'react'

type TextKey<Fields> = { [Key in keyof Fields]: Fields[Key] extends string ? Key : never }[keyof Fields]

/**
 * What is typed into the fields of a form.
 * @returns `field('name')`: what the field of that name shows and does; `set` changes some of them
 */
export function useFields<Fields extends object>(first: Fields) {
  const [fields, setFields] = useState(first)
  const set = (changes: Partial<Fields>) => setFields((before) => ({ ...before, ...changes }))
  const field = <Key extends TextKey<Fields>>(key: Key) => ({
    value: fields[key],
    // What is typed is read in its own direction; an empty field in that of the admin.
    dir: fields[key] === '' ? undefined : 'auto',
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      setFields((before) => ({ ...before, [key]: value })),
  })
  return { fields, set, field }
}
