/** Posts in languages that are written in different ways; in each, one other post is about the same as `post`. */
export const TOPICS = [
  {
    language: 'German',
    post: {
      title: 'Der erste Bienenstock',
      content:
        '<p>Wer mit der Imkerei beginnt, braucht einen Bienenstock und Geduld. Die Honigernte kommt erst im zweiten Jahr, und die Königin muss den Winter überleben.</p>',
    },
    posts: [
      {
        title: 'Die Honigernte',
        content:
          '<p>Zur Honigernte werden die Waben geschleudert. Die Imkerei lebt davon, dass die Bienen genug haben.</p>',
      },
      {
        title: 'Die Eisenbahn',
        content: '<p>Wer mit der Eisenbahn fährt, braucht eine Fahrkarte und Geduld. Der Zug kommt erst später an.</p>',
      },
    ],
    related: 'Die Honigernte',
    anchor: 'Honigernte',
  },
  {
    language: 'Chinese',
    post: {
      title: '咖啡豆的烘焙',
      content: '<p>咖啡豆的烘焙决定了咖啡的味道。浅烘焙的咖啡豆比较酸，适合手冲咖啡。研磨机的选择也很重要。</p>',
    },
    posts: [
      { title: '研磨机的选择', content: '<p>好的研磨机可以把咖啡豆磨得很均匀。手冲咖啡需要粗一点的粉。</p>' },
      { title: '帆船入门', content: '<p>学习帆船需要了解风向和天气。港口里有很多船，决定了训练的时间。</p>' },
    ],
    related: '研磨机的选择',
    anchor: '研磨机的选择',
  },
  {
    language: 'Japanese',
    post: {
      title: '抹茶の点て方',
      content:
        '<p>抹茶を点てるには茶筅と茶碗が必要です。お湯の温度は八十度くらいにします。茶筅の選び方も大切です。</p>',
    },
    posts: [
      { title: '茶筅の選び方', content: '<p>茶筅は竹で作られます。抹茶の種類によって茶筅を変えます。</p>' },
      { title: '新幹線の旅', content: '<p>新幹線に乗るには切符が必要です。駅の売店でお弁当を買うことも大切です。</p>' },
    ],
    related: '茶筅の選び方',
    anchor: '茶筅の選び方',
  },
  {
    language: 'Thai',
    post: {
      title: 'วิธีปลูกกาแฟ',
      content: '<p>การปลูกกาแฟต้องใช้ดินที่ดีและอากาศเย็น เมล็ดกาแฟจะสุกในฤดูหนาว หลังจากนั้นจึงคั่วเมล็ดกาแฟ</p>',
    },
    posts: [
      { title: 'เมล็ดกาแฟ', content: '<p>เมล็ดกาแฟที่ดีมาจากดอย คั่วเมล็ดกาแฟแล้วเก็บในขวดแก้ว</p>' },
      { title: 'การเดินทางด้วยรถไฟ', content: '<p>รถไฟออกจากสถานีตอนเช้า ผู้โดยสารซื้อตั๋วที่สถานี</p>' },
    ],
    related: 'เมล็ดกาแฟ',
    anchor: 'เมล็ดกาแฟ',
  },
  {
    language: 'Arabic',
    post: {
      title: 'زراعة النخيل',
      content: '<p>تحتاج زراعة النخيل إلى ماء كثير وشمس. يجمع المزارعون التمور في الخريف ثم يبيعونها في السوق.</p>',
    },
    posts: [
      {
        title: 'فوائد التمور',
        content: '<p>تمور المدينة من أجود أنواع الثمار، ويعتني بها المزارعون في مواسم النخيل.</p>',
      },
      { title: 'السفر بالقطار', content: '<p>يغادر القطار المحطة في الصباح، ويشتري المسافرون التذاكر من الشباك.</p>' },
    ],
    related: 'فوائد التمور',
    anchor: 'التمور',
  },
] as const
