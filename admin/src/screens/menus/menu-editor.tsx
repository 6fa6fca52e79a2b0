import { Box, Grid, Stack } from '@mantine/core'
import { useState } from 'react'
import { useList } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { Section } from '../../parts/section.tsx'
import { AddEntries } from './add-entries.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryList } from './entry-list.tsx'
import { ITEMS, type MenuInfo, type MenuItemInfo } from './menu.ts'
import { MenuSettings } from './menu-settings.tsx'
import { useHeaderPlace } from './use-header-place.ts'

/** A menu: its items, the panel to add items, and its settings. */
export function MenuEditor({ menu, onGone }: { menu: MenuInfo; onGone: () => void }) {
  const [edited, setEdited] = useState<MenuItemInfo>()
  const items = useList<MenuItemInfo>(ITEMS, { menus: menu.id, per_page: 100, context: 'edit' })
  const onAdded = useHeaderPlace(menu, items.data?.total === 0)
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          <Section
            title={plainText(menu.name)}
            description={
              <>
                <Box visibleFrom="xs">
                  {__('Drag items into place, or move them with the buttons or with Alt and the arrow keys.', 'pentad')}
                </Box>
                <Box hiddenFrom="xs">{__('To move an item, open its actions menu.', 'pentad')}</Box>
              </>
            }
          >
            <Loaded query={items} lines={5}>
              {(list) => <EntryList items={list.items} onEdit={setEdited} />}
            </Loaded>
          </Section>
          <MenuSettings key={menu.name + menu.locations.join()} menu={menu} onGone={onGone} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <AddEntries menuId={menu.id} onAdded={onAdded} />
      </Grid.Col>
      <EntryForm item={edited} onClose={() => setEdited(undefined)} />
    </Grid>
  )
}
