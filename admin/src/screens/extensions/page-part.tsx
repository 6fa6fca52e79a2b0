import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { invalidate, useRead } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import { can } from '../../page-data.ts'
import { formatNumber } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Stat, Stats } from '../../parts/stat.tsx'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { memberOf, textOf } from './member.ts'
import { PageTable } from './page-table.tsx'
import { type ExtensionPageData, namespaceOf, type Part, type PartOf } from './part.ts'
import { RouteButton } from './route-button.tsx'

/** One part of a page that is described by data. */
export function PagePart({ part, page }: { part: Part; page: ExtensionPageData }) {
  switch (part.type) {
    case 'text':
      return (
        <Titled title={part.title}>
          <Stack gap="xs">
            {part.text.split(/\n\s*\n/).map((paragraph, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs stay where they are
              <Text key={place} maw="44rem">
                {paragraph}
              </Text>
            ))}
          </Stack>
        </Titled>
      )
    case 'stats':
      return <PageStats part={part} />
    case 'table':
      return (
        <Titled title={part.title}>
          <PageTable part={part} page={page} />
        </Titled>
      )
    case 'settings':
      return can('manage_options') ? <PageSettings part={part} page={page} /> : null
    case 'buttons':
      return <PageButtons part={part} />
  }
}

function Titled({ title, children }: { title: string | undefined; children: ReactNode }) {
  return title === undefined ? children : <Section title={title}>{children}</Section>
}

function PageStats({ part: { title, route, items } }: { part: PartOf<'stats'> }) {
  const list = useRead<unknown>(route)
  return (
    <Titled title={title}>
      <Loaded query={list}>
        {(figures) => (
          <Stats>
            {items.map(({ key, label, unit }) => (
              <Stat key={key} label={label} value={figureOf(memberOf(figures, key), unit)} />
            ))}
          </Stats>
        )}
      </Loaded>
    </Titled>
  )
}

function figureOf(value: unknown, unit: string | undefined): string {
  const figure = typeof value === 'number' ? formatNumber(value) : textOf(value)
  return unit === undefined || figure === '–' ? figure : `${figure} ${unit}`
}

function PageSettings({ part: { title, keys }, page }: { part: PartOf<'settings'>; page: ExtensionPageData }) {
  const draft = useSettings(page.extension)
  const groups = keys && [{ title: title ?? __('Settings', 'pentad'), keys }]
  return <SettingsForm draft={draft} {...(groups && { groups })} />
}

function PageButtons({ part: { title, buttons } }: { part: PartOf<'buttons'> }) {
  const client = useQueryClient()
  return (
    <Titled title={title}>
      <Group>
        {buttons.map((button) => (
          <RouteButton
            key={button.label}
            button={button}
            onDone={() => void invalidate(client, [namespaceOf(button.route)])}
          >
            {({ run, isRunning }) => (
              <Button
                onClick={run}
                loading={isRunning}
                {...(button.destructive ? { color: 'red', variant: 'light' } : {})}
              >
                {button.label}
              </Button>
            )}
          </RouteButton>
        ))}
      </Group>
    </Titled>
  )
}
