import {
  IconBell,
  IconBook,
  IconBox,
  IconCalendar,
  IconChartLine,
  IconHeart,
  IconMail,
  IconMap,
  IconMessage,
  IconPhoto,
  IconPuzzle,
  IconShoppingCart,
  IconStar,
  IconTag,
  IconTicket,
  IconTool,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import type { PageData } from '../../page-data.ts'

type AdminIcon = NonNullable<PageData['pages'][number]['icon']>

const ICONS: Readonly<Record<AdminIcon, TablerIcon>> = {
  puzzle: IconPuzzle,
  bell: IconBell,
  book: IconBook,
  box: IconBox,
  calendar: IconCalendar,
  cart: IconShoppingCart,
  chart: IconChartLine,
  heart: IconHeart,
  mail: IconMail,
  map: IconMap,
  message: IconMessage,
  photo: IconPhoto,
  star: IconStar,
  tag: IconTag,
  ticket: IconTicket,
  tool: IconTool,
  users: IconUsers,
}

export const iconOf = (name: AdminIcon | undefined): TablerIcon => (name ? ICONS[name] : IconPuzzle)
