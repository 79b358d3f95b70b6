"""Which question a text is. Most of these phrasings stand in no table."""

import pytest

from thorp.village.questions import MAX_CHARACTERS, Topic, names_first, read_question

PEOPLE = {"Jory": "storekeeper", "Bram": "smith", "Odile": "mayor", "Maud": "greeter"}
ITEMS = ("BREAD", "STONE", "STONE_AXE", "COAL", "IRON_PICKAXE", "BERRIES")

PHRASES = {
    Topic.WHERE: (
        "Where is the store?",
        "which way to the market, please",
        "I can't find the notice board",
        "Jory, where are you?",
        "Could you point me towards the smithy?",
        "have you seen Odile anywhere",
        "I've been looking for Bram all day",
        "How far is it to the terminal?",
        "I'm lost, which way?",
    ),
    Topic.SELL: (
        "What do you sell?",
        "Got any bread left?",
        "How much is a stone axe?",
        "Can I buy an iron pickaxe from you?",
        "What wares do you carry today?",
        "What might I purchase?",
        "Do you have some coal?",
        "Bread?",
    ),
    Topic.WANT: (
        "What do you need?",
        "what does the store want most",
        "Do you buy stone?",
        "Are you short of anything?",
        "would you take my coal off me?",
    ),
    Topic.WORK: (
        "What is there to do here?",
        "Any work for me?",
        "Got a job for a newcomer?",
        "How can I make myself useful around here?",
        "Is there any employment going?",
        "I would like to earn something",
        "is anything for me to do today",
        "I'm bored, give me a quest",
        "I just woke up, what now?",
        "anything going that pays?",
        "how do I get rich",
        "where can I find work",
    ),
    Topic.JOIN: (
        "How do I become a citizen?",
        "Can I get a plot of land?",
        "Where could I settle down?",
        "who do I speak to about land",
        "may i join your town",
        "How does one become one of you?",
    ),
    Topic.WHO: (
        "Who are you?",
        "What's your name?",
        "Tell me about yourself",
        "May I know whom I am talking to?",
        "Who runs this village?",
        "What do you do for a living?",
    ),
    Topic.ELSEWHERE: ("Where's the well?", "which way to the lighthouse"),
    Topic.COMPASS: ("which way's north", "where is south from here?"),
    Topic.DOING: (
        "What are you doing?",
        "what are you up to these days",
        "what's on your mind?",
    ),
    Topic.TODAY: ("what did you do today?", "how was your day"),
    Topic.HOME: ("Where do you live?", "where is your house"),
    Topic.TOWN: ("What is this place?", "tell me about this village", "Where are we?"),
    Topic.BUILDERS: ("Who built the hall?", "who made this house"),
    Topic.RICHES: ("Who is the richest of you all?", "are you rich"),
    Topic.DANGER: ("Is it dangerous out there?", "am I safe here at night"),
    Topic.CONTRACT: ("what's a contract?", "how does a contract work"),
    Topic.PROGRAM: ("Are you a robot?", "are you human"),
    Topic.FEELING: ("How are you?", "are you well?"),
    Topic.NEWS: ("What's new?", "anything happening in town?"),
    Topic.TIME: ("what time is it", "What day is it?", "When will it be dark?", "is it late?"),
    Topic.LIKES: (
        "Do you like Bram?",
        "who are your friends",
        "What do you think of Odile?",
        "is there anybody you can't stand",
        "Do you have any enemies?",
        "whom can't you stand",
        "what do you make of Bram?",
        "who's the best liked person in this place",
    ),
    Topic.WISH: (
        "What do you wish for?",
        "what's your dream",
        "What would you like best?",
        "your heart's desire?",
    ),
    Topic.ELECTION: ("When is the election?", "How do I vote?", "who are the candidates"),
    Topic.PARTING: ("Goodbye!", "see you around, bye"),
    Topic.THANKS: ("Thanks a lot!", "thank you"),
    Topic.GREETING: ("Hello Jory", "Good morning.", "My name is Ada."),
}


@pytest.mark.parametrize(
    ("topic", "text"), [(topic, text) for topic, texts in PHRASES.items() for text in texts]
)
def test_a_question_is_known_by_its_words(topic: Topic, text: str) -> None:
    question = read_question(text, PEOPLE, ITEMS, me="Jory")
    assert question is not None
    assert question.topic is topic


def test_every_topic_has_its_phrases() -> None:
    assert set(PHRASES) == set(Topic)


def test_what_a_question_is_about_is_read_too() -> None:
    axe = read_question("How much is a stone axe?", PEOPLE, ITEMS)
    assert axe is not None
    assert axe.item == "STONE_AXE"
    store = read_question("Where is the shop?", PEOPLE, ITEMS)
    assert store is not None
    assert store.place == "store"
    smith = read_question("Jory, where is Bram?", PEOPLE, ITEMS, me="Jory")
    assert smith is not None
    assert smith.person == "Bram"
    ruler = read_question("who is in charge here", PEOPLE, ITEMS, me="Jory")
    assert ruler is not None
    assert ruler.person == "Odile"


def test_what_people_call_goods_is_the_first_that_it_may_mean() -> None:
    pick = read_question("Do you have a pickaxe?", PEOPLE, ITEMS)
    assert pick is not None
    assert pick.item == "IRON_PICKAXE"
    first = read_question("I'd like some bread, how many stones is that?", PEOPLE, ITEMS)
    assert first is not None
    assert first.item == "BREAD"
    trees = read_question("where do I find trees?", PEOPLE, ITEMS)
    assert trees is not None
    assert (trees.topic, trees.item) == (Topic.WHERE, "LOG")


@pytest.mark.parametrize(
    "text",
    ["Who is fastest here?", "who is richest of you", "who painted the hall", "who built this"],
)
def test_who_somebody_else_is_is_not_answered_with_ones_own_name(text: str) -> None:
    question = read_question(text, PEOPLE, ITEMS, me="Jory")
    assert question is None or question.topic is not Topic.WHO


@pytest.mark.parametrize("text", ["", "I like turtles", "?", "....", "\x00" * 50, "la la la"])
def test_other_words_are_no_question(text: str) -> None:
    assert read_question(text, PEOPLE, ITEMS) is None


def test_only_the_beginning_of_a_wall_of_text_is_read() -> None:
    wall = "x" * MAX_CHARACTERS
    assert read_question(f"{wall} where is the store?", PEOPLE, ITEMS) is None


def test_whoever_is_named_first_or_last_is_addressed() -> None:
    assert names_first("Jory, where is Bram?", PEOPLE) == "Jory"
    assert names_first("hey maud", PEOPLE) == "Maud"
    assert names_first("What do you sell, Bram?", PEOPLE) == "Bram"
    assert names_first("Is it true that Bram sells tools", PEOPLE) == ""
