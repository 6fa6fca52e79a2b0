import { ColorInput, type ColorInputProps } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'

/** A field for a color. Its picker opens below it on focus, and closes with Escape, which leaves the focus in the field. */
export function ColorField(props: ColorInputProps) {
  const [isClosed, setClosed] = useState(false)
  const open = () => setClosed(false)
  const closeWithEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setClosed(true)
  }
  return (
    <ColorInput
      {...props}
      popoverProps={{ transitionProps: { duration: 0 }, ...(isClosed && { opened: false }) }}
      onFocus={open}
      onClick={open}
      onKeyDown={closeWithEscape}
    />
  )
}
