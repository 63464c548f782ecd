package tests

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1959eab6/transcode"
	"github.com/seed-1959eab6/transcode/internal/check"
	"github.com/seed-1959eab6/transcode/internal/oracle"
	"github.com/seed-1959eab6/transcode/internal/texts"
	"github.com/stretchr/testify/require"
)

func TestDetectBOM(t *testing.T) {
	for _, c := range []struct {
		sample string
		e      transcode.Encoding
		bomLen int
	}{
		{"\xEF\xBB\xBF", transcode.UTF8, 3}, {"\xEF\xBB\xBFabc", transcode.UTF8, 3}, {"\xEF\xBB\xBF\xFF", transcode.UTF8, 3},
		{"\xFF\xFE", transcode.UTF16LE, 2}, {"\xFF\xFEa", transcode.UTF16LE, 2}, {"\xFF\xFEa\x00", transcode.UTF16LE, 2}, {"\xFF\xFE\x00", transcode.UTF16LE, 2},
		{"\xFE\xFF", transcode.UTF16BE, 2}, {"\xFE\xFF\x00a", transcode.UTF16BE, 2}, {"\xFE\xFF\x00\x00", transcode.UTF16BE, 2},
		{"\xFF\xFE\x00\x00", transcode.UTF32LE, 4}, {"\xFF\xFE\x00\x00a\x00\x00\x00", transcode.UTF32LE, 4},
		{"\x00\x00\xFE\xFF", transcode.UTF32BE, 4}, {"\x00\x00\xFE\xFF\x00\x00\x00a", transcode.UTF32BE, 4},
	} {
		e, n, ok := transcode.Detect([]byte(c.sample))
		require.True(t, ok, "% x", c.sample)
		require.Equal(t, c.e, e, "% x", c.sample)
		require.Equal(t, c.bomLen, n, "% x", c.sample)
		check.Detect(t, []byte(c.sample))
	}
}

func TestDetectWithoutBOM(t *testing.T) {
	for _, c := range []struct {
		name, sample string
		e            transcode.Encoding
		ok           bool
	}{
		{"empty", "", transcode.UTF8, true},
		{"one ASCII byte", "a", transcode.UTF8, true},
		{"ASCII", "hello, world\n", transcode.UTF8, true},
		{"UTF-8", "où l'été", transcode.UTF8, true},
		{"UTF-8 cut inside a character", "où l'ét\xC3", transcode.UTF8, true}, // tree-sitter#5456: was taken for Latin-1
		{"UTF-8 cut inside a long character", "a😀"[:4], transcode.UTF8, true},
		{"Latin-1 is never guessed", "o\xF9 l'\xE9t\xE9 d\xE9j\xE0 fini", transcode.UTF8, false},
		{"four Latin-1 bytes", "caf\xE9s", transcode.UTF8, false},
		{"stray continuation byte", "abc\x80def", transcode.UTF8, false},
		{"UTF-16LE of ASCII", "h\x00e\x00l\x00l\x00o\x00\n\x00", transcode.UTF16LE, true},
		{"UTF-16BE of ASCII", "\x00h\x00e\x00l\x00l\x00o\x00\n", transcode.UTF16BE, true},
		{"UTF-16LE of ASCII cut inside a unit", "h\x00e\x00l\x00l\x00o", transcode.UTF16LE, true},
		{"UTF-32LE of ASCII", "h\x00\x00\x00i\x00\x00\x00", transcode.UTF32LE, true},
		{"UTF-32BE of ASCII", "\x00\x00\x00h\x00\x00\x00i", transcode.UTF32BE, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, n, ok := transcode.Detect([]byte(c.sample))
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.e, e)
			require.Zero(t, n)
			check.Detect(t, []byte(c.sample))
		})
	}
	t.Run("surrogates are not UTF-32", func(t *testing.T) { // simdutf#516
		for _, sample := range []string{"\x20\xD8\x00\x00", "\x00\xD8\x00\x00\x00\xDC\x00\x00", "\x00\x00\xD8\x20"} {
			e, _, ok := transcode.Detect([]byte(sample))
			require.False(t, ok && (e == transcode.UTF32LE || e == transcode.UTF32BE), "% x", sample)
			check.Detect(t, []byte(sample))
		}
	})
	t.Run("fault behind the first block counts", func(t *testing.T) { // simdutf#519: state lost between blocks
		for _, e := range []transcode.Encoding{transcode.UTF32LE, transcode.UTF32BE, transcode.UTF16LE, transcode.UTF16BE} {
			units := []uint16(nil)
			for range 40 {
				units = append(units, 'a')
			}
			sample := oracle.Bytes16(append(units, 0xDC00, 'a'), e)
			if oracle.UnitSize(e) == 4 {
				sample = oracle.Bytes32(append([]rune(strings.Repeat("a", 40)), 0xD800, 'a'), e)
			}
			got, _, ok := transcode.Detect(sample)
			require.False(t, ok && got == e, e)
			check.Detect(t, sample)
		}
	})
	t.Run("flag of England in UTF-32", func(t *testing.T) { // it is spelled with characters of plane 14
		sample := oracle.Bytes32([]rune("go \U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F!"), transcode.UTF32BE)
		e, _, ok := transcode.Detect(sample)
		require.True(t, ok)
		require.Equal(t, transcode.UTF32BE, e)
	})
	t.Run("half of a byte order mark is none", func(t *testing.T) {
		for _, sample := range []string{"\xEF\xBB", "\xEF\xBBa", "\xFE", "\xFF", "\x00\x00\xFE", "a\xEF\xBB\xBF"} {
			_, n, _ := transcode.Detect([]byte(sample))
			require.Zero(t, n, "% x", sample)
			check.Detect(t, []byte(sample))
		}
	})
}

// TestDetectScripts: texts of a few hundred bytes are recognised in every encoding that detection covers.
func TestDetectScripts(t *testing.T) {
	for _, script := range texts.Scripts {
		if script == "latin1" || script == "mixed" {
			continue // no language: C1 controls, and scripts that change from word to word
		}
		text := texts.Of(script, 400)
		for _, want := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE} {
			sample, err := transcode.Append(nil, want, text, transcode.UTF8)
			require.NoError(t, err)
			for _, n := range []int{256, len(sample)} {
				e, bomLen, ok := transcode.Detect(sample[:n])
				require.True(t, ok, "%s in %v", script, want)
				require.Equal(t, want.String(), e.String(), "%s, %d bytes", script, n)
				require.Zero(t, bomLen)
			}
		}
		if sample, err := transcode.Append(nil, transcode.Latin1, text, transcode.UTF8); err == nil && script != "ascii" {
			_, _, ok := transcode.Detect(sample)
			require.False(t, ok, "%s in Latin-1", script)
		}
	}
}

// TestDetectAnything: whatever the bytes, the answer must hold for them.
func TestDetectAnything(t *testing.T) {
	t.Parallel()
	for n := range texts.Thin(5, 4) {
		texts.EveryWord([]byte{0x00, 0x0A, 0x20, 0x41, 0x80, 0xBB, 0xBF, 0xC3, 0xD8, 0xDC, 0xEF, 0xFE, 0xFF}, n, func(sample []byte) { check.Detect(t, sample) })
	}
	r := texts.Rand(5)
	for range texts.Thin(30000, 1000) {
		text := texts.Mutate(&r, texts.Of(texts.Pick(&r, texts.Scripts), r.Intn(80)), r.Intn(3))
		sample, err := transcode.Transcoder{To: texts.Pick(&r, check.Encodings), OnError: transcode.Replace}.Append(nil, text)
		require.NoError(t, err)
		sample = texts.Mutate(&r, string(sample), r.Intn(3))
		check.Detect(t, sample)
		check.Detect(t, sample[:r.Intn(len(sample)+1)])
	}
}

// Samples of a few bytes, where the right answer is plain.
func TestDetectTinySamples(t *testing.T) {
	for _, c := range []struct {
		sample string
		e      transcode.Encoding
		ok     bool
	}{
		{"", transcode.UTF8, true},
		{"a", transcode.UTF8, true},
		{"\n", transcode.UTF8, true},
		{"\r\n", transcode.UTF8, true},
		{"ab", transcode.UTF8, true},
		{"abc", transcode.UTF8, true},
		{"abcd", transcode.UTF8, true},
		{"ab\r\ncd", transcode.UTF8, true},
		{"1,2,3,4", transcode.UTF8, true},
		{"\xC3", transcode.UTF8, true}, // cut at the end
		{"\xE2\x82", transcode.UTF8, true},
		{"a\xF0\x9F\x98", transcode.UTF8, true},
		{"é", transcode.UTF8, true},
		{"😀", transcode.UTF8, true},
		{"a\x00", transcode.UTF16LE, true},
		{"\x00a", transcode.UTF16BE, true},
		{"a\x00b", transcode.UTF16LE, true}, // cut at the end
		{"a\x00b\x00", transcode.UTF16LE, true},
		{"\x00a\x00b\x00", transcode.UTF16BE, true},
		{"h\x00i\x00\n\x00", transcode.UTF16LE, true},
		{"a\x00\x00\x00", transcode.UTF32LE, true},
		{"\x00\x00\x00a", transcode.UTF32BE, true},
		{"a\x00\x00\x00b\x00", transcode.UTF32LE, true}, // cut at the end
		{"\x00\x01\xF6\x00\x00\x01\xF6", transcode.UTF32BE, true},
		{"\xE9t\xE9", transcode.UTF8, false},
		{"d\xE9j\xE0 vu", transcode.UTF8, false},
		{"\xFF\xFE\x00\x01", transcode.UTF16LE, true}, // not the mark of UTF-32LE
	} {
		e, n, ok := transcode.Detect([]byte(c.sample))
		require.Equal(t, c.ok, ok, "%q", c.sample)
		require.Equal(t, c.e, e, "%q", c.sample)
		if _, marked := check.MarkOf(transcode.Transcoder{BOM: transcode.BOMOverride}, []byte(c.sample)); n != marked {
			t.Errorf("%q: a byte order mark of %d bytes", c.sample, n)
		}
	}
}

// texts in several scripts, of some hundred characters each.
var detectTexts = map[string]string{
	"english": "The fourth planet from the Sun is a cold, dusty desert world with a very thin atmosphere. It has seasons, polar ice caps,\n" +
		"extinct volcanoes and canyons, and there is evidence that it was even more active in the past: 4.5 billion years ago (or so).\n" +
		"Two moons, Phobos and Deimos, orbit it; they are small and irregularly shaped.\n",
	"french": "La quatrième planète du Système solaire par ordre d'éloignement croissant au Soleil est aussi la deuxième par masse et par taille\n" +
		"croissantes. Son éloignement au Soleil est compris entre 1,381 et 1,666 UA, avec une période orbitale de 669,58 jours martiens.\n" +
		"C'est une planète tellurique, où l'on a très tôt voulu déceler çà et là des traces de vie, hélas sans succès jusqu'à présent.\n",
	"german": "Der Mars ist, von der Sonne aus gezählt, der vierte Planet in unserem Sonnensystem und der äußere Nachbar der Erde.\n" +
		"Er zählt zu den erdähnlichen Planeten. Sein Durchmesser ist mit knapp 6800 Kilometer etwa halb so groß wie der der Erde, sein\n" +
		"Volumen beträgt gut ein Siebentel des Erdvolumens. Damit ist er nach dem Merkur der zweitkleinste Planet. Größe, Übersicht, Öl.\n",
	"russian": "Четвёртая по удалённости от Солнца и седьмая по размеру планета Солнечной системы; масса планеты составляет 10,7 % массы Земли.\n" +
		"Названа в честь Марса — древнеримского бога войны, соответствующего древнегреческому Аресу. Иногда её называют «красной планетой»\n" +
		"из-за красноватого оттенка поверхности, придаваемого ей минералом маггемитом.\n",
	"arabic": "الكوكب الرابع من حيث البعد عن الشمس في النظام الشمسي وهو الجار الخارجي للأرض ويصنف كوكبا صخريا، من مجموعة الكواكب الأرضية.\n" +
		"اطلق عليه بالعربية المريخ نسبة إلى كلمة أمرخ أي صاحب البقع الحمراء، فيقال ثور أمرخ أي به بقع حمراء، وهو باللاتينية مارس.\n" +
		"ويلقب في الوقت الحالي بالكوكب الأحمر بسبب لونه المائل إلى الحمرة.\n",
	"hindi": "सौरमंडल में सूर्य से चौथा ग्रह है। पृथ्वी से इसकी आभा रक्तिम दिखती है, जिस वजह से इसे \"लाल ग्रह\" के नाम से भी जाना जाता है।\n" +
		"सौरमंडल के ग्रह दो तरह के होते हैं - \"स्थलीय ग्रह\" जिनमें ज़मीन होती है और \"गैसीय ग्रह\" जिनमें अधिकतर गैस ही गैस है।\n" +
		"पृथ्वी की तरह, यह भी एक स्थलीय धरातल वाला ग्रह है। इसका वातावरण विरल है।\n",
	"thai": "เป็นดาวเคราะห์ลำดับที่สี่จากดวงอาทิตย์ เป็นดาวเคราะห์เล็กที่สุดอันดับที่สองในระบบสุริยะรองจากดาวพุธ ในภาษาอังกฤษได้ชื่อตามเทพเจ้าแห่งสงครามของโรมัน\n" +
		"มักได้รับขนานนาม \"ดาวแดง\" เพราะมีออกไซด์ของเหล็กดาษดื่นบนพื้นผิวทำให้มีสีออกแดงเรื่อ เป็นดาวเคราะห์หินที่มีบรรยากาศเบาบาง\n",
	"greek": "Ο τέταρτος σε απόσταση από τον Ήλιο πλανήτης του Ηλιακού Συστήματος, με ιδιαίτερο κοκκινωπό χρώμα, δεύτερος πλησιέστερος στη Γη.\n" +
		"Είναι ο έβδομος σε μέγεθος και μάζα πλανήτης του Ηλιακού Συστήματος. Χαρακτηρίζεται ως βραχώδης πλανήτης, με λεπτή ατμόσφαιρα,\n" +
		"και πήρε το όνομά του από τον θεό του πολέμου.\n",
	"hebrew": "כוכב הלכת הרביעי במרחקו מן השמש והשני בקטנותו במערכת השמש. נקרא על שם אל המלחמה במיתולוגיה הרומית, ומכונה \"הכוכב האדום\" בשל\n" +
		"צבעו האדמדם הנגרם מתחמוצות ברזל שעל פניו. בעל אטמוספירה דקה ופני שטח המזכירים את המכתשים שעל הירח ואת העמקים, המדבריות\n" +
		"וכיפות הקרח שעל פני כדור הארץ. יש לו שני ירחים.\n",
	"korean": "태양계의 네 번째 행성이다. 4개의 지구형 행성 중 하나이다. 붉은색을 띠기 때문에 동양권에서는 불을 뜻하는 화(火)를 써서 화성 또는 형혹성이라 부르고,\n" +
		"서양권에서는 로마 신화의 전쟁의 신의 이름을 따 부른다. 오늘날 영어에서 3월을 뜻하는 이름도 여기서 생겼다. 매리너 4호가 1965년에 처음으로 근접\n" +
		"비행을 하기 전까지 과학계 안팎의 사람들은 대량의 물이 존재하리라고 기대하였다.\n",
	"chinese": "是离太阳第四近的行星，也是太阳系中仅次于水星的第二小的行星，为太阳系里四颗类地行星之一。\n" +
		"由于它荧荧如火，亮度常变，运行方向也令人迷惑，故中国古代称之为荧惑；古罗马人则以战神的名字命名。\n" +
		"其橘红色外表是地表的赤铁矿。地表沙丘、砾石遍布，没有稳定的液态水体，二氧化碳为主的大气既稀薄又寒冷。沙尘悬浮其中，每年常有尘暴发生。\n",
	"japanese": "太陽系の太陽に近い方から四番目の惑星である。地球型惑星に分類され、地球の外側の軌道を公転している。\n" +
		"英語圏での呼称は、ローマ神話の神に由来する。地球のすぐ外側を回っているため、その視直径は比較的大きい。\n" +
		"酸化鉄を多く含む岩石のために赤く見える。メソポタミアの民は赤い惑星に戦火と血を連想して彼らの戦いの神の名を冠した。\n",
	"emoji": "😀 😃 😄 😁 😆 😅 😂 🤣 🥲 ☺️ 😊 😇 🙂 🙃 😉 😌 😍 🥰 😘 😗\n😙 😚 😋 😛 😝 😜 🤪 🤨 🧐 🤓 😎 🥸 🤩 🥳 😏 😒 😞 😔 😟 😕\n" +
		"🙁 ☹️ 😣 😖 😫 😩 🥺 😢 😭 😤 😠 😡 🤬 🤯 😳 🥵 🥶 😱 😨 😰\n😥 😓 🤗 🤔 🤭 🤫 🤥 😶 😐 😑 😬 🙄 😯 😦 😧 😮 😲 🥱 😴 🤤\n",
	"source": "// gofmt -l . && go vet ./...\nfunc main() {\n\tfor i, s := range os.Args[1:] {\n\t\tfmt.Printf(\"%d: %q\\n\", i, s)\n\t}\n}\n" +
		"if x == 0 { return nil, errors.New(\"x is zero\") }\r\n# 100 %\r\n<a href=\"https://example.org/?q=1&r=2\">link</a>\r\n",
	"csv": "id;name;amount;date\r\n1;Müller;12,50;2024-01-31\r\n2;Núñez;7,00;2024-02-29\r\n3;Łukasz;0,99;2024-03-01\r\n4;Ángel;100,00;2024-04-01\r\n",
	// Every second byte a control character, as in UTF-16 of Indian scripts.
	"table": strings.Repeat("1\t2\t3\t4\n0\t1\t1\t0\nx\ty\tz\tx\n9\t8\t7\t6\n", 3) + "\n\n\n\n\n\t\t\t\t\ta\nb\nc\nd\ne\nf\ng\nh\ni\nj\r\n\r\n\r\n\r\n" +
		strings.Repeat("y\nn\ny\ny\nn\n5\t5\t5\n", 8),
}

// windows returns the samples of so many bytes that begin with a character of a text: with each, or with about so many if that is above 0.
func windows(text []byte, e transcode.Encoding, size, about int) (list [][]byte) {
	skip := 0
	if about > 0 {
		skip = (len(text) - size) / about
	}
	next := 0
	for _, it := range oracle.Decode(text, e) {
		if it.Off >= next && it.Off+size <= len(text) {
			list = append(list, text[it.Off:it.Off+size])
			next = it.Off + skip
		}
	}
	return list
}

// hitRates counts how often Detect is right, and notes in which texts it is not.
type hitRates struct {
	hits, samples int
	missed        map[string]int
}

func (h *hitRates) add(name string, sample []byte, want transcode.Encoding) {
	if want == transcode.Latin1 && check.WellFormedButCut(sample, transcode.UTF8) {
		return // this may be UTF-8
	}
	if h.missed == nil {
		h.missed = make(map[string]int)
	}
	e, n, ok := transcode.Detect(sample)
	known := want != transcode.Latin1 // which is never guessed
	h.samples++
	if ok == known && (e == want || !known) && n == 0 {
		h.hits++
		return
	}
	h.missed[fmt.Sprintf("%s as %v, %v", name, e, ok)]++
}

func (h *hitRates) String() string {
	s := fmt.Sprintf("%d of %d, %.2f %%", h.hits, h.samples, 100*float64(h.hits)/max(1, float64(h.samples)))
	for _, name := range slices.Sorted(maps.Keys(h.missed)) {
		s += fmt.Sprintf("; %d %s", h.missed[name], name)
	}
	return s
}

var detectEncodings = []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE, transcode.Latin1}

// From 64 bytes on the answer is right for texts in every script and encoding, cut anywhere.
func TestDetectWindows(t *testing.T) {
	for _, size := range []int{32, 64, 256} {
		for _, e := range detectEncodings {
			var rates hitRates
			for _, name := range slices.Sorted(maps.Keys(detectTexts)) {
				for _, w := range windows(texts.Encoded(e, detectTexts[name]), e, size, 0) {
					rates.add(name, w, e)
				}
			}
			t.Logf("%v, %d bytes: %v", e, size, &rates)
			if size >= 64 && rates.hits < rates.samples || rates.hits*100 < rates.samples*99 {
				t.Errorf("%v, %d bytes: %v", e, size, &rates)
			}
			if rates.samples < 200 {
				t.Errorf("%v, %d bytes: %d samples", e, size, rates.samples)
			}
		}
	}
}

// UTF-8 and Latin-1 are not taken for UTF-16 or UTF-32, however short they are.
func TestDetectNoFalseHits(t *testing.T) {
	for _, e := range []transcode.Encoding{transcode.UTF8, transcode.Latin1} {
		for size := range 32 {
			if testing.Short() && size%4 != 2 {
				continue
			}
			var rates hitRates
			for name, text := range detectTexts {
				for _, w := range windows(texts.Encoded(e, text), e, size, 0) {
					rates.add(name, w, e)
				}
			}
			if rates.hits < rates.samples {
				t.Errorf("%v, %d bytes: %v", e, size, &rates)
			}
		}
	}
}

// A sample may end in the middle of a character.
func TestDetectCutCharacters(t *testing.T) {
	for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE} {
		for name, text := range detectTexts {
			src := texts.Encoded(e, text)
			first := min(128, len(src)-12) // the shortest text has fewer than 140 bytes
			for n := first; n < first+12; n++ {
				got, _, ok := transcode.Detect(src[:n])
				require.True(t, ok, "%s in %v, %d bytes", name, e, n)
				require.Equal(t, e, got, "%s, %d bytes", name, n)
			}
		}
	}
}

// Text that says little: a character or two, over and over.
func TestDetectMonotonous(t *testing.T) {
	for _, s := range []string{"-", "=", "*", "a", "0", " ", "\n", "-=", "\r\n", "\t", "é", "я"} {
		for _, e := range []transcode.Encoding{transcode.UTF8, transcode.UTF16LE, transcode.UTF16BE, transcode.UTF32LE, transcode.UTF32BE} {
			for _, n := range []int{1, 2, 3, 50} {
				if e != transcode.UTF8 && s > "\x7F" && n < 50 {
					continue // a few bytes that can be many things
				}
				got, _, ok := transcode.Detect(texts.Encoded(e, strings.Repeat(s, n)))
				require.True(t, ok, "%d of %q in %v", n, s, e)
				require.Equal(t, e, got, "%d of %q", n, s)
			}
		}
	}
}

// Text with a mistake, or cut in front, is not another encoding for that.
func TestDetectUnknown(t *testing.T) {
	for name, sample := range map[string]string{
		"a bad byte":   detectTexts["english"] + "\xFF" + detectTexts["english"],
		"cut in front": "\x98\x80 text that goes on for a while, as UTF-8 does\n",
	} {
		e, n, ok := transcode.Detect([]byte(sample))
		require.False(t, ok, name)
		require.Equal(t, transcode.UTF8, e, name)
		require.Zero(t, n)
	}
}

// Hit rates on a corpus: a folder with folders of *.utf8.txt, and of *.latin1.txt, files.
func TestDetectCorpus(t *testing.T) {
	folder := os.Getenv("TRANSCODE_CORPUS")
	if folder == "" {
		t.Skip("TRANSCODE_CORPUS names no folder")
	}
	files := map[transcode.Encoding][]string{}
	for e, pattern := range map[transcode.Encoding]string{transcode.UTF8: "*.utf8.txt", transcode.Latin1: "*.latin1.txt"} {
		names, err := filepath.Glob(filepath.Join(folder, "*", pattern))
		require.NoError(t, err)
		files[e] = names
	}
	require.NotEmpty(t, files[transcode.UTF8])
	for _, e := range detectEncodings {
		rates := map[int]*hitRates{32: {}, 64: {}, 256: {}, 4096: {}}
		names := files[transcode.UTF8]
		if e == transcode.Latin1 {
			names = files[transcode.Latin1]
		}
		for _, name := range names {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			if e != transcode.Latin1 {
				src = texts.Encoded(e, strings.TrimPrefix(string(src), "\uFEFF"))
				require.NotNil(t, src, "%s is not UTF-8", name)
			}
			for size, r := range rates {
				for _, w := range windows(src, e, size, 400) {
					r.add(filepath.Base(name), w, e)
				}
			}
		}
		for _, size := range slices.Sorted(maps.Keys(rates)) {
			r := rates[size]
			t.Logf("%v, %d bytes: %v", e, size, r)
			if size >= 64 && r.hits*100 < r.samples*99 {
				t.Errorf("%v, %d bytes: below 99 %%", e, size)
			}
		}
	}
}

// Text of encodings that the package does not have is none that it has: pairs of bytes of legacy East Asian encodings look like UTF-16 of
// Hangul or of rare ideographs.
func TestDetectForeignEncodings(t *testing.T) {
	for _, text := range []struct{ encoding, bytes string }{
		{"euc-jp", "\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE\xA5\xC6\xA5\xAD\xA5\xB9\xA5\xC8\xA5\xD5\xA5\xA1\xA5\xA4\xA5\xEB\xA4\xC7\xA4\xB9\xA1\xA3\xBA\xA3\xC6\xFC\xA4\xCF\xC5\xB7\xB5\xA4\xA4\xAC\xA4\xA4\xA4\xA4\xA4\xC7\xA4\xB9\xA4\xCD\xA1\xA3"},
		{"euc-jp", "\xA4\xA2\xA4\xEA\xA4\xAC\xA4\xC8\xA4\xA6\xA4\xB4\xA4\xB6\xA4\xA4\xA4\xDE\xA4\xB7\xA4\xBF"},
		{"shift_jis", "\x82\xB1\x82\xEA\x82\xCD\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83\x4C\x83\x58\x83\x67\x82\xC5\x82\xB7\x81\x42"},
		{"shift_jis", "\x83\x4A\x83\x5E\x83\x4A\x83\x69\x82\xCC\x83\x65\x83\x4C\x83\x58\x83\x67\x83\x74\x83\x40\x83\x43\x83\x8B"},
		{"gbk", "\xD5\xE2\xCA\xC7\xD2\xBB\xB8\xF6\xD6\xD0\xCE\xC4\xCE\xC4\xB1\xBE\xA3\xAC\xD3\xC3\xD3\xDA\xB2\xE2\xCA\xD4\xB1\xE0\xC2\xEB\xBC\xEC\xB2\xE2\xA1\xA3"},
		{"gbk", "\xD6\xD0\xBB\xAA\xC8\xCB\xC3\xF1\xB9\xB2\xBA\xCD\xB9\xFA\xCD\xF2\xCB\xEA"},
		{"euc-kr", "\xC0\xCC\xB0\xCD\xC0\xBA\x20\xC7\xD1\xB1\xB9\xBE\xEE\x20\xC5\xD8\xBD\xBA\xC6\xAE\xC0\xD4\xB4\xCF\xB4\xD9\x2E\x20\xBF\xC0\xB4\xC3\xC0\xBA\x20\xB3\xAF\xBE\xBE\xB0\xA1\x20\xC1\xC1\xB3\xD7\xBF\xE4\x2E"},
		{"euc-kr", "\xB4\xEB\xC7\xD1\xB9\xCE\xB1\xB9\xB8\xB8\xBC\xBC\xB4\xEB\xC7\xD1\xB9\xCE\xB1\xB9\xB8\xB8\xBC\xBC"},
		{"big5", "\xB3\x6F\xAC\x4F\xA4\x40\xAD\xD3\xA4\xA4\xA4\xE5\xA4\xE5\xA5\xBB\xA1\x41\xA5\xCE\xA9\xF3\xB4\xFA\xB8\xD5\xBD\x73\xBD\x58\xC0\xCB\xB4\xFA\xA1\x43"},
		{"koi8-r", "\xFC\xD4\xCF\x20\xD2\xD5\xD3\xD3\xCB\xC9\xCA\x20\xD4\xC5\xCB\xD3\xD4\x20\xC4\xCC\xD1\x20\xD0\xD2\xCF\xD7\xC5\xD2\xCB\xC9\x20\xCF\xD0\xD2\xC5\xC4\xC5\xCC\xC5\xCE\xC9\xD1\x20\xCB\xCF\xC4\xC9\xD2\xCF\xD7\xCB\xC9\x2E"},
		{"windows-1251", "\xDD\xF2\xEE\x20\xF0\xF3\xF1\xF1\xEA\xE8\xE9\x20\xF2\xE5\xEA\xF1\xF2\x20\xE4\xEB\xFF\x20\xEF\xF0\xEE\xE2\xE5\xF0\xEA\xE8\x20\xEE\xEF\xF0\xE5\xE4\xE5\xEB\xE5\xED\xE8\xFF\x20\xEA\xEE\xE4\xE8\xF0\xEE\xE2\xEA\xE8\x2E"},
	} {
		for n := 1; n <= 8; n++ {
			for _, end := range []string{"", "\n", "\r\n", " ok\n", "!"} {
				e, bomLen, ok := transcode.Detect([]byte(strings.Repeat(text.bytes, n) + end))
				require.False(t, ok, "%s, %d times: %v", text.encoding, n, e)
				require.Equal(t, transcode.UTF8, e)
				require.Zero(t, bomLen)
			}
		}
	}
}
