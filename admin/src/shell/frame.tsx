import { ActionIcon, Anchor, AppShell, Box, Burger, Group, Loader, ScrollArea, Tooltip } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconExternalLink, IconSparkles } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { closeCopilot, toggleCopilot, useIsCopilotOpen } from '../copilot/panel-state.ts'
import { __ } from '../i18n.ts'
import { can, hasService, pageData } from '../page-data.ts'
import { ColorScheme } from './color-scheme.tsx'
import { ConfirmPassword } from './confirm-password.tsx'
import { Navigation } from './navigation.tsx'
import { SafeMode } from './safe-mode.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import { UserMenu } from './user-menu.tsx'

const CopilotPanel = lazy(() => import('../copilot/copilot-panel.tsx'))

/** Who may talk to the copilot: `ai/v1/copilot` asks for the same. */
const hasCopilot = hasService('ai') && can('manage_options')

/** What stands around every screen: the bar at the top, the navigation, and the copilot beside it. */
export function Frame() {
  const [isNavOpen, nav] = useDisclosure()
  const isCopilotOpen = useIsCopilotOpen() && hasCopilot
  const copilotButton = useRef<HTMLButtonElement>(null)
  const { pathname } = useLocation()
  const { state } = useNavigation()
  const closeNav = useRef(nav.close)
  closeNav.current = nav.close

  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the navigation gives way to each screen that is opened
  useEffect(() => closeNav.current(), [pathname])
  useHotkeys(hasCopilot ? [['mod+J', toggleCopilot]] : [], [], true)

  /** Who closes it goes on where they opened it. */
  function leaveCopilot(): void {
    closeCopilot()
    copilotButton.current?.focus()
  }

  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isNavOpen } }}
      aside={{ width: 400, breakpoint: 'lg', collapsed: { mobile: !isCopilotOpen, desktop: !isCopilotOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#main">
        {__('Skip to the content', 'pentad')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="xs" wrap="nowrap">
          <Burger
            opened={isNavOpen}
            onClick={nav.toggle}
            hiddenFrom="sm"
            size="sm"
            aria-expanded={isNavOpen}
            aria-label={__('Navigation', 'pentad')}
          />
          <Anchor href="/" fw={650} c="inherit" truncate>
            {pageData.site.title || pageData.site.url}
          </Anchor>
          <Anchor href="/" size="sm" visibleFrom="sm" aria-label={__('View the site', 'pentad')}>
            <IconExternalLink size={16} aria-hidden />
          </Anchor>
          <Group ms="auto" gap="xs" wrap="nowrap">
            {state === 'loading' && <Loader size="xs" aria-label={__('Loading', 'pentad')} />}
            {hasCopilot && (
              <Tooltip label={__('Copilot (Ctrl+J)', 'pentad')}>
                <ActionIcon
                  variant={isCopilotOpen ? 'filled' : 'default'}
                  size="lg"
                  ref={copilotButton}
                  onClick={toggleCopilot}
                  aria-keyshortcuts="Control+J"
                  aria-expanded={isCopilotOpen}
                  aria-label={__('Copilot', 'pentad')}
                >
                  <IconSparkles size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
            <ColorScheme />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <ScrollArea type="auto" scrollbarSize={8}>
          <Box p="xs">
            <Navigation />
          </Box>
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <SafeMode />
        <Outlet />
      </AppShell.Main>
      <AppShell.Aside aria-label={__('Copilot', 'pentad')}>
        {isCopilotOpen && (
          <Suspense fallback={<Loader m="md" />}>
            <CopilotPanel onClose={leaveCopilot} />
          </Suspense>
        )}
      </AppShell.Aside>
      <ConfirmPassword />
      <SignInAgain />
      <ScrollRestoration />
    </AppShell>
  )
}
