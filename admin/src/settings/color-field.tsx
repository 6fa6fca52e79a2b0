import { ColorInput, type ColorInputProps, ColorSwatch } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'

/**
 * A field for a color. Its picker opens below it on focus, and closes with Escape, which leaves the focus in the field. If
 * the field is empty, the sample next to it has the color of the placeholder, or none.
 */
export function ColorField(props: ColorInputProps) {
  const [isClosed, setClosed] = useState(false)
  const open = () => setClosed(false)
  const closeWithEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setClosed(true)
  }
  return (
    <ColorInput
      {...props}
      {...(props.value === '' && { leftSection: <EmptySample color={props.placeholder} /> })}
      popoverProps={{ transitionProps: { duration: 0 }, ...(isClosed && { opened: false }) }}
      onFocus={open}
      onClick={open}
      onKeyDown={closeWithEscape}
    />
  )
}

function EmptySample({ color = 'transparent' }: { readonly color: string | undefined }) {
  return <ColorSwatch color={color} size="var(--ci-preview-size)" />
}
