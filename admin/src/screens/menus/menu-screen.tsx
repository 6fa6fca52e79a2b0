import { Button, Group, Select, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useList } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { useListQuery } from '../../parts/list-query.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { MENUS, type MenuInfo } from './menu.ts'
import { MenuEditor } from './menu-editor.tsx'
import { NewMenu } from './new-menu.tsx'

/** The menus of the site, one at a time. */
export default function MenuScreen() {
  const query = useListQuery()
  const [isAdding, setAdding] = useState(false)
  const menus = useList<MenuInfo>(MENUS, { per_page: 100 })
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {__('New menu', 'pentad')}
    </Button>
  )
  return (
    <Page
      title={__('Menus', 'pentad')}
      description={__('Create menus and arrange the links that visitors use to navigate the site.', 'pentad')}
      actions={add}
    >
      <Loaded query={menus} lines={6}>
        {({ items }) => {
          const asked = Number(query.get('menu'))
          const chosen = items.find(({ id }) => id === asked) ?? items[0]
          if (!chosen) {
            return (
              <EmptyState title={__('No menus yet', 'pentad')}>
                {__(
                  'The theme shows your top-level pages until you create a menu. The first menu that you create appears in the header.',
                  'pentad',
                )}
              </EmptyState>
            )
          }
          return (
            <Stack>
              {items.length > 1 && (
                <Group>
                  <Select
                    label={__('Menu', 'pentad')}
                    data={items.map(({ id, name }) => ({ value: String(id), label: plainText(name) }))}
                    value={String(chosen.id)}
                    allowDeselect={false}
                    onChange={(id) => query.set({ menu: id ?? '' })}
                  />
                </Group>
              )}
              <MenuEditor key={chosen.id} menu={chosen} onGone={() => query.set({ menu: '' })} />
            </Stack>
          )
        }}
      </Loaded>
      <NewMenu opened={isAdding} onClose={() => setAdding(false)} onMade={(id) => query.set({ menu: String(id) })} />
    </Page>
  )
}
