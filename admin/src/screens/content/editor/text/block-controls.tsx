import { Button, Group, Menu, Popover, TextInput } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import {
  IconArrowDown,
  IconArrowUp,
  IconColumnInsertRight,
  IconColumnRemove,
  IconLayoutAlignCenter,
  IconLayoutAlignLeft,
  IconLayoutAlignRight,
  IconLink,
  IconMaximize,
  IconSquare,
  IconTextCaption,
  IconViewportWide,
} from '@tabler/icons-react'
import { type Editor, useEditorState } from '@tiptap/react'
import { type ComponentType, type FormEvent, useState } from 'react'
import { __ } from '../../../../i18n.ts'
import { can } from '../../../../page-data.ts'
import { activeBlock, appendText, moveBlock, setAttributes } from './blocks/active.ts'
import { ALIGNMENTS, type Alignment, aligned, alignmentOf } from './blocks/align.ts'
import { column } from './blocks/new-blocks.ts'
import { CreatePattern } from './patterns/create-pattern.tsx'
import { BlockSettings } from './settings/block-settings.tsx'

const LABELS: Readonly<Record<Alignment, readonly [label: string, icon: ComponentType<{ size?: number }>]>> = {
  left: [__('Align left', 'pentad'), IconLayoutAlignLeft],
  center: [__('Align center', 'pentad'), IconLayoutAlignCenter],
  right: [__('Align right', 'pentad'), IconLayoutAlignRight],
  wide: [__('Wide width', 'pentad'), IconViewportWide],
  full: [__('Full width', 'pentad'), IconMaximize],
}

interface ControlProps {
  readonly label: string
  readonly icon: ComponentType<{ size?: number }>
  readonly onClick: () => void
}

function Control({ label, icon: Icon, onClick }: ControlProps) {
  return (
    <RichTextEditor.Control aria-label={label} title={label} onClick={onClick}>
      <Icon size={16} aria-hidden />
    </RichTextEditor.Control>
  )
}

/** Controls for the block at the cursor. */
export function BlockControls({ editor }: { editor: Editor }) {
  const shown = useEditorState({ editor, selector: ({ editor: now }) => partsOf(now), equalityFn: isSameParts })
  const add = (types: readonly string[], part: 'caption' | 'citation') => () => {
    const block = activeBlock(editor, (name) => types.includes(name))
    if (block) appendText(editor, block, part)
  }
  return (
    <RichTextEditor.ControlsGroup>
      <Control label={__('Move block up', 'pentad')} icon={IconArrowUp} onClick={() => void moveBlock(editor, -1)} />
      <Control label={__('Move block down', 'pentad')} icon={IconArrowDown} onClick={() => void moveBlock(editor, 1)} />
      {shown.alignable && <AlignMenu editor={editor} alignable={shown.alignable} current={shown.alignment} />}
      {shown.lacksCaption && (
        <Control label={__('Add caption', 'pentad')} icon={IconTextCaption} onClick={add(CAPTIONED, 'caption')} />
      )}
      {shown.lacksCitation && (
        <Control label={__('Add citation', 'pentad')} icon={IconTextCaption} onClick={add(QUOTES, 'citation')} />
      )}
      {shown.columns > 0 && (
        <Control label={__('Add column', 'pentad')} icon={IconColumnInsertRight} onClick={() => addColumn(editor)} />
      )}
      {shown.columns > 1 && (
        <Control label={__('Remove column', 'pentad')} icon={IconColumnRemove} onClick={() => removeColumn(editor)} />
      )}
      {shown.isButton && <ButtonLink editor={editor} />}
      <BlockSettings editor={editor} />
      {can('publish_posts') && <CreatePattern editor={editor} />}
    </RichTextEditor.ControlsGroup>
  )
}

const CAPTIONED = ['gallery', 'tableFigure']
const QUOTES = ['blockquote', 'pullquote']

/** What the controls depend on. */
function partsOf(editor: Editor) {
  const find = (types: readonly string[]) => activeBlock(editor, (name) => types.includes(name))?.node
  const alignable = activeBlock(editor, (name) => name in ALIGNMENTS)?.node
  const lacks = (node: ReturnType<typeof find>, part: string) =>
    node !== undefined && node.lastChild?.type.name !== part
  return {
    alignable: alignable?.type.name,
    alignment: alignable && alignmentOf(alignable),
    lacksCaption: lacks(find(CAPTIONED), 'caption'),
    lacksCitation: lacks(find(QUOTES), 'citation'),
    columns: find(['columns'])?.childCount ?? 0,
    isButton: find(['button']) !== undefined,
  }
}

type Parts = ReturnType<typeof partsOf>
const isSameParts = (one: Parts, other: Parts | null) => JSON.stringify(one) === JSON.stringify(other)

function addColumn(editor: Editor): void {
  const columns = activeBlock(editor, (name) => name === 'columns')
  if (columns)
    editor
      .chain()
      .focus()
      .insertContentAt(columns.pos + columns.node.nodeSize - 1, column)
      .run()
}

function removeColumn(editor: Editor): void {
  const removed = activeBlock(editor, (name) => name === 'column')
  if (removed)
    editor
      .chain()
      .focus()
      .deleteRange({ from: removed.pos, to: removed.pos + removed.node.nodeSize })
      .run()
}

interface AlignMenuProps {
  readonly editor: Editor
  /** Node type of the block. */
  readonly alignable: string
  readonly current: Alignment | undefined
}

function AlignMenu({ editor, alignable, current }: AlignMenuProps) {
  const [, Icon] = current ? LABELS[current] : [undefined, IconSquare]
  const choose = (alignment: Alignment | undefined) => {
    const block = activeBlock(editor, (name) => name === alignable)
    if (block) setAttributes(editor, block, aligned(block.node, alignment))
  }
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <RichTextEditor.Control aria-label={__('Alignment', 'pentad')} title={__('Alignment', 'pentad')}>
          <Icon size={16} aria-hidden />
        </RichTextEditor.Control>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSquare size={16} aria-hidden />} onClick={() => choose(undefined)}>
          {__('None', 'pentad')}
        </Menu.Item>
        {(ALIGNMENTS[alignable] ?? []).map((alignment) => {
          const [label, AlignIcon] = LABELS[alignment]
          return (
            <Menu.Item
              key={alignment}
              leftSection={<AlignIcon size={16} aria-hidden />}
              aria-current={alignment === current}
              onClick={() => choose(alignment)}
            >
              {label}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

function ButtonLink({ editor }: { editor: Editor }) {
  const [url, setUrl] = useState<string>()
  const find = () => activeBlock(editor, (name) => name === 'button')
  const close = () => setUrl(undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form nested in the form of a screen.
    event.stopPropagation()
    const button = find()
    if (button) {
      const { href: _, ...link } = button.node.attrs.link
      const typed = url?.trim() ?? ''
      setAttributes(editor, button, { link: typed === '' ? link : { ...link, href: typed } })
    }
    close()
  }
  return (
    <Popover opened={url !== undefined} onChange={close} trapFocus position="bottom-start" shadow="md">
      <Popover.Target>
        <RichTextEditor.Control
          aria-label={__('Button link', 'pentad')}
          title={__('Button link', 'pentad')}
          onClick={() => setUrl(String(find()?.node.attrs.link.href ?? ''))}
        >
          <IconLink size={16} aria-hidden />
        </RichTextEditor.Control>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Group align="end" gap="xs">
            <TextInput
              label={__('URL', 'pentad')}
              placeholder="https://example.com/"
              data-autofocus
              value={url ?? ''}
              onChange={(event) => setUrl(event.currentTarget.value)}
            />
            <Button type="submit">{__('Apply', 'pentad')}</Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
