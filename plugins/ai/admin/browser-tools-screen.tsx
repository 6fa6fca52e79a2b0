import { Badge, Code, Stack, Table, Text } from '@mantine/core'
import { invalidate, queryClient, useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import classes from 'pentad/admin/parts/data-table.module.css'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { SettingsForm } from 'pentad/admin/settings/settings-form.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { useEffect } from 'react'
import type { BrowserTools } from './routes.ts'

/** The tools that agents in visitors' browsers may use on the site (WebMCP). */
export default function BrowserToolsScreen() {
  const tools = useRead<BrowserTools>('ai/v1/browser-tools')
  const draft = useSettings('ai')
  const { isSaving } = draft
  useEffect(() => {
    if (!isSaving) void invalidate(queryClient, ['ai/v1/browser-tools'])
  }, [isSaving])
  return (
    <Page
      isForm
      title={__('Browser tools', 'pentad')}
      description={__(
        'Give AI agents in visitors’ browsers tools to search and use your site (WebMCP). Agents see only what every visitor can see.',
        'pentad',
      )}
    >
      <SettingsForm draft={draft} groups={[{ title: __('Availability', 'pentad'), keys: ['webMcpTools'] }]} />
      <Section
        title={__('Tools', 'pentad')}
        description={__('Extensions can add tools: every public, read-only ability becomes one.', 'pentad')}
      >
        <Loaded query={tools} lines={6}>
          {({ enabled, items }) => (
            <Stack gap="xs">
              <Text size="sm" aria-live="polite">
                {enabled
                  ? __('Agents can use these tools.', 'pentad')
                  : __('Agents can use these tools once browser tools are turned on.', 'pentad')}
              </Text>
              <Table aria-label={__('Tools', 'pentad')} className={classes.table} verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{__('Tool', 'pentad')}</Table.Th>
                    <Table.Th>{__('Description', 'pentad')}</Table.Th>
                    <Table.Th>{__('Can change', 'pentad')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {items.map(({ name, title, description, readOnly }) => (
                    <Table.Tr key={name}>
                      <Table.Td>
                        <Text size="sm" fw={600}>
                          {title}
                        </Text>
                        <Code>{name}</Code>
                      </Table.Td>
                      <Table.Td data-label={__('Description', 'pentad')}>
                        <div>{description}</div>
                      </Table.Td>
                      <Table.Td data-label={__('Can change', 'pentad')}>
                        <div>
                          <Badge variant="dot" color={readOnly ? 'teal' : 'yellow'}>
                            {readOnly ? __('Nothing', 'pentad') : __('The visitor’s cart', 'pentad')}
                          </Badge>
                        </div>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Stack>
          )}
        </Loaded>
      </Section>
    </Page>
  )
}
