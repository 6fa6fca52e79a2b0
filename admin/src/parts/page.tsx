import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useSiteTitle } from './site-title.ts'

interface PageProps {
  readonly title: string
  readonly description?: ReactNode
  /** Whether the screen is a form: its fields are no wider than their texts are easy to read. */
  readonly isForm?: boolean
  /** Buttons next to the title. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/**
 * The layout of a screen: sets the document title, and focuses the heading so that screen readers announce the screen.
 */
export function Page({ title, description, isForm = false, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { pathname } = useLocation()
  const navigation = useNavigationType()
  const isShown = useRef(false)
  const siteTitle = useSiteTitle()
  useEffect(() => {
    document.title = `${title} – ${siteTitle}`
  }, [title, siteTitle])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each new address, not with each title
  useEffect(() => {
    // A post that was just created has another address on the same screen.
    if (isShown.current && navigation === 'REPLACE') return
    isShown.current = true
    const focused = document.activeElement
    // While the screen loads, its main element can have the focus: see `useKeptFocus`.
    if (!focused || focused === document.body || focused.id === 'main' || focused.closest('nav')) {
      heading.current?.focus({ preventScroll: true })
    }
  }, [pathname])
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" maw="44rem">
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {isForm ? <Stack maw={760}>{children}</Stack> : children}
    </Stack>
  )
}
