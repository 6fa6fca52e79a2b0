import { Badge, Group, NavLink, Popover, Stack, Text } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { IconListTree } from '@tabler/icons-react'
import type { Editor } from '@tiptap/react'
import { useState } from 'react'
import { __, _n, sprintf } from '../../../../i18n.ts'
import { formatNumber } from '../../../../parts/format.ts'
import { countsOf, type OutlineHeading, outlineOf } from './overview.ts'

/** Shows how long the text is, and its headings; a click moves the cursor to one. */
export function OverviewButton({ editor }: { editor: Editor }) {
  const [isOpen, setOpen] = useState(false)
  const label = __('Document overview', 'pentad')
  function goTo({ pos }: OutlineHeading): void {
    setOpen(false)
    // The focus first: scrolling to the selection requires it.
    editor.view.focus()
    editor
      .chain()
      .setTextSelection(pos + 1)
      .scrollIntoView()
      .run()
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-start" shadow="md" width={320}>
      <Popover.Target>
        <RichTextEditor.Control aria-label={label} title={label} onClick={() => setOpen(!isOpen)}>
          <IconListTree size={16} aria-hidden />
        </RichTextEditor.Control>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} mah="60vh" style={{ overflowY: 'auto' }}>
        {isOpen && <Overview editor={editor} onGoTo={goTo} />}
      </Popover.Dropdown>
    </Popover>
  )
}

function Overview({ editor, onGoTo }: { editor: Editor; onGoTo: (heading: OutlineHeading) => void }) {
  const { words, characters, minutes } = countsOf(editor.state.doc)
  const headings = outlineOf(editor.state.doc)
  const figures: readonly (readonly [string, string])[] = [
    [__('Words', 'pentad'), formatNumber(words)],
    [__('Characters', 'pentad'), formatNumber(characters)],
    [__('Time to read', 'pentad'), sprintf(_n('%d minute', '%d minutes', minutes, 'pentad'), minutes)],
  ]
  return (
    <Stack gap="xs">
      <Group gap="lg">
        {figures.map(([name, figure]) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text size="sm">{figure}</Text>
          </div>
        ))}
      </Group>
      <Text fw={600} size="sm">
        {__('Outline', 'pentad')}
      </Text>
      {headings.length === 0 && (
        <Text size="sm" c="dimmed" tabIndex={0}>
          {__('Add headings to structure the text. They appear here.', 'pentad')}
        </Text>
      )}
      <div>
        {headings.map((heading) => (
          <NavLink
            key={heading.pos}
            component="button"
            py={4}
            ps={`${Math.max(heading.level - 1, 1)}rem`}
            leftSection={
              <Badge size="sm" variant="light" color="gray">
                {`H${heading.level}`}
              </Badge>
            }
            label={heading.text || __('(Empty heading)', 'pentad')}
            description={heading.isSkipping ? __('Incorrect heading level', 'pentad') : undefined}
            onClick={() => onGoTo(heading)}
          />
        ))}
      </div>
    </Stack>
  )
}
