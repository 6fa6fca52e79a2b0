import { Popover, Select, Stack, Switch, TextInput } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { IconSettings } from '@tabler/icons-react'
import { type Editor, useEditorState } from '@tiptap/react'
import { useState } from 'react'
import { __ } from '../../../../../i18n.ts'
import { type ActiveBlock, activeBlocks } from '../blocks/active.ts'
import { type BlockSetting, SETTABLE } from './settings.ts'

/** Settings of the block at the cursor, or of one that contains it. */
export function BlockSettings({ editor }: { editor: Editor }) {
  const [isOpen, setOpen] = useState(false)
  const hasSettings = useEditorState({ editor, selector: ({ editor: now }) => settableBlocks(now).length > 0 })
  const label = __('Block settings', 'pentad')
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="bottom-start" shadow="md" width={300}>
      <Popover.Target>
        <RichTextEditor.Control
          aria-label={label}
          title={label}
          disabled={!hasSettings}
          onClick={() => setOpen(!isOpen)}
        >
          <IconSettings size={16} aria-hidden />
        </RichTextEditor.Control>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} mah="70vh" style={{ overflowY: 'auto' }}>
        {isOpen && <Fields editor={editor} />}
      </Popover.Dropdown>
    </Popover>
  )
}

const settableBlocks = (editor: Editor) => activeBlocks(editor, (name) => name in SETTABLE)

const isSame = (some: readonly ActiveBlock[], others: readonly ActiveBlock[] | null) =>
  some.length === others?.length &&
  some.every(({ node, pos }, at) => node === others[at]?.node && pos === others[at].pos)

function Fields({ editor }: { editor: Editor }) {
  const blocks = useEditorState({ editor, selector: ({ editor: now }) => settableBlocks(now), equalityFn: isSame })
  const [chosen, setChosen] = useState(0)
  const block = blocks[chosen] ?? blocks[0]
  const settable = block && SETTABLE[block.node.type.name]
  if (!settable) return null
  return (
    <Stack gap="sm">
      {blocks.length > 1 && (
        <Select
          size="xs"
          label={__('Block', 'pentad')}
          data={blocks.map(({ node }, index) => ({
            value: String(index),
            label: SETTABLE[node.type.name]?.label ?? node.type.name,
          }))}
          value={String(chosen)}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={(value) => setChosen(Number(value))}
        />
      )}
      {settable.settings.map((setting) => (
        <Field key={`${chosen}-${setting.id}`} editor={editor} block={block} setting={setting} />
      ))}
    </Stack>
  )
}

interface FieldProps {
  readonly editor: Editor
  readonly block: ActiveBlock
  readonly setting: BlockSetting
}

function Field({ editor, block: { node, pos }, setting }: FieldProps) {
  // The focus stays in the field.
  const store = (attrs: ActiveBlock['node']['attrs']) =>
    editor.view.dispatch(editor.state.tr.setNodeMarkup(pos, undefined, attrs))
  const { label, description } = setting
  switch (setting.kind) {
    case 'switch':
      return (
        <Switch
          size="xs"
          label={label}
          checked={setting.get(node)}
          onChange={(event) => store(setting.set(node, event.currentTarget.checked))}
        />
      )
    case 'choice':
      return (
        <Select
          size="xs"
          label={label}
          data={[...setting.options]}
          value={setting.get(node)}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          onChange={(value) => value && store(setting.set(node, value))}
        />
      )
    case 'text':
      return (
        <TypedText
          label={label}
          description={description}
          value={setting.get(node)}
          onChange={(value) => store(setting.set(node, value))}
        />
      )
  }
}

interface TypedTextProps {
  readonly label: string
  readonly description: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Stored when the field is left or `Enter` is pressed: what is half typed is no setting. */
function TypedText({ label, description, value, onChange }: TypedTextProps) {
  const [typed, setTyped] = useState(value)
  const submit = () => typed !== value && onChange(typed)
  return (
    <TextInput
      size="xs"
      label={label}
      description={description}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        submit()
      }}
    />
  )
}
