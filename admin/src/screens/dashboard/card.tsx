import { Anchor, Badge, Box, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { __, sprintf } from '../../i18n.ts'
import { can, hasService } from '../../page-data.ts'
import classes from './dashboard.module.css'

interface CardProps {
  readonly title: string
  /** Path of the service's screen. */
  readonly to?: string
  readonly children: ReactNode
}

/** A card of the dashboard. */
export function Card({ title, to, children }: CardProps) {
  const heading = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={heading}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h3" id={heading}>
            {title}
          </Title>
          {to && (
            <Anchor component={Link} to={to} size="sm" aria-label={sprintf(__('Open %s', 'pentad'), title)}>
              {__('Open', 'pentad')}
            </Anchor>
          )}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}

/** The card of a service; if it is inactive, how to activate it. */
export function ServiceCard({ service, title, to, children }: CardProps & { readonly service: string }) {
  if (hasService(service)) return <Card {...{ title, to, children }} />
  return (
    <Card title={title}>
      <Group gap="xs">
        <Badge variant="default">{__('Inactive', 'pentad')}</Badge>
        <Text size="sm" c="dimmed">
          {__('This service is inactive.', 'pentad')}
        </Text>
      </Group>
      {can('activate_plugins') && (
        <Anchor component={Link} to="/extensions" size="sm">
          {sprintf(__('Activate %s under Extensions', 'pentad'), title)}
        </Anchor>
      )}
    </Card>
  )
}

/** The key figure of a card, with its label. */
export function Figure({ value, label, children }: { value: ReactNode; label: ReactNode; children?: ReactNode }) {
  return (
    <Group gap="sm" align="center" wrap="nowrap">
      <Text fz="1.8rem" fw={650} lh={1.1} flex="none" className={classes.figure}>
        {value}
      </Text>
      <Box>
        <Text size="sm" c="dimmed" component="div">
          {label}
        </Text>
        {children}
      </Box>
    </Group>
  )
}
