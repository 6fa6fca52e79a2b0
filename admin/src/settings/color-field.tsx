import { ColorInput, type ColorInputProps, ColorSwatch } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { completeColor, isIncomplete } from './color.ts'

interface ColorFieldProps extends Omit<ColorInputProps, 'value' | 'onChange' | 'onBlur' | 'onKeyDown'> {
  readonly value: string
  readonly onChange: (color: string) => void
  /** Shown as an error once an incomplete color has been entered. Without it, only the server checks the color. */
  readonly hint?: string
}

/**
 * A field for a color. Its picker opens below it on focus, and closes with Escape, which leaves the focus in the field. If
 * the field is empty, the sample next to it has the color of the placeholder, or none.
 */
export function ColorField({ value, onChange, hint, error, ...props }: ColorFieldProps) {
  const [isClosed, setClosed] = useState(false)
  const [isTyping, setTyping] = useState(false)
  const open = () => setClosed(false)
  function change(color: string): void {
    setTyping(true)
    onChange(color)
  }
  function complete(typed: string): void {
    setTyping(false)
    const color = completeColor(typed)
    if (color !== typed) onChange(color)
  }
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
    if (key === 'Escape') setClosed(true)
    // Enter submits the form.
    if (key === 'Enter') complete(currentTarget.value)
  }
  return (
    <ColorInput
      {...props}
      {...(value === '' && { leftSection: <EmptySample color={props.placeholder} /> })}
      {...{ value, onKeyDown }}
      error={error ?? (!isTyping && isIncomplete(value) && hint)}
      onChange={change}
      popoverProps={{ transitionProps: { duration: 0 }, ...(isClosed && { opened: false }) }}
      // Mantine would restore the last valid color, which it notices too late if the field is left right after typing.
      fixOnBlur={false}
      onBlur={({ currentTarget }) => complete(currentTarget.value)}
      onFocus={open}
      onClick={open}
    />
  )
}

function EmptySample({ color = 'transparent' }: { readonly color: string | undefined }) {
  return <ColorSwatch color={color} size="var(--ci-preview-size)" />
}
