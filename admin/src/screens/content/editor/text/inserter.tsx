import { Combobox, Group, Popover, Text, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { useRead } from '../../../../api/query.ts'
import { __ } from '../../../../i18n.ts'
import { can } from '../../../../page-data.ts'
import { LOCATIONS, type MenuLocation } from '../../../menus/menu.ts'
import { dynamicBlocks, menuBlocks } from './dynamic-blocks.ts'
import { type InsertableBlock, insertableBlocks, searchBlocks } from './insertable.ts'
import { insertablePatterns, PATTERNS, type Pattern } from './patterns/patterns.ts'

interface InserterProps {
  /** Where it opens, in pixels of the window; `undefined` if it is closed. */
  readonly at: { readonly left: number; readonly top: number } | undefined
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly onPick: (block: InsertableBlock) => void
  /** Called with `Escape`, an empty search that is deleted, and a click outside. */
  readonly onCancel: (isEscape: boolean) => void
}

/** A searchable list of all blocks: a combobox with a list box, as in the ARIA Authoring Practices. */
export function Inserter({ at, ...search }: InserterProps) {
  const { onCancel } = search
  return (
    <Popover
      opened={at !== undefined}
      onChange={(isOpen) => !isOpen && onCancel(false)}
      position="bottom-start"
      shadow="md"
      width={280}
      trapFocus
      closeOnEscape={false}
      returnFocus={false}
      withRoles={false}
    >
      <Popover.Target>
        <span style={{ position: 'fixed', left: at?.left ?? 0, top: at?.top ?? 0 }} />
      </Popover.Target>
      <Popover.Dropdown p="xs" role="dialog" aria-label={__('Add block', 'pentad')}>
        {at && <Search {...search} />}
      </Popover.Dropdown>
    </Popover>
  )
}

function Search({ search, onSearch, onPick, onCancel }: Omit<InserterProps, 'at'>) {
  const combobox = useCombobox({ opened: true })
  const patterns = useRead<readonly Pattern[]>(PATTERNS, { context: 'edit', per_page: 100 })
  const locations = useRead<Readonly<Record<string, MenuLocation>>>(LOCATIONS, undefined, {
    enabled: can('edit_theme_options'),
  })
  const found = searchBlocks(search, [
    ...insertableBlocks,
    ...dynamicBlocks,
    ...menuBlocks(Object.values(locations.data ?? {})),
    ...insertablePatterns(patterns.data ?? []),
  ])
  const listId = useId()
  const [first, setFirst] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first result of each search
  useEffect(() => setFirst(combobox.selectFirstOption() ?? undefined), [search, patterns.data])
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        const picked = found.find((block) => block.id === id)
        if (picked) onPick(picked)
      }}
    >
      <Combobox.EventsTarget
        aria-expanded
        aria-controls={listId}
        // The combobox sets it itself once an arrow key has been pressed.
        {...(first ? { 'aria-activedescendant': first } : {})}
      >
        <TextInput
          role="combobox"
          aria-label={__('Search blocks', 'pentad')}
          placeholder={__('Search blocks', 'pentad')}
          leftSection={<IconSearch size={14} aria-hidden />}
          data-autofocus
          autoComplete="off"
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key.startsWith('Arrow')) setFirst(undefined)
            if (event.key !== 'Escape' && !(event.key === 'Backspace' && search === '')) return
            event.preventDefault()
            event.stopPropagation()
            onCancel(event.key === 'Escape')
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.Options id={listId} aria-label={__('Blocks', 'pentad')} mah={260} mt="xs" style={{ overflowY: 'auto' }}>
        {found.map(({ id, label, icon: Icon }) => (
          <Combobox.Option key={id} value={id}>
            <Group gap="xs" wrap="nowrap">
              <Icon size={18} aria-hidden />
              <Text size="sm">{label}</Text>
            </Group>
          </Combobox.Option>
        ))}
        {found.length === 0 && <Combobox.Empty>{__('No blocks found.', 'pentad')}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  )
}
